// Which of a machine's offsets must be known before code may follow them.

#include "bpf/layout/machine.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>

namespace dt::bpf {

bool PathOffsets::are_known() const {
  constexpr std::size_t kOffsets = sizeof(PathOffsets) / sizeof(std::int32_t);
  for (const std::int32_t offset : std::bit_cast<std::array<std::int32_t, kOffsets>>(*this)) {
    if (offset < 0) return false;
  }
  return true;
}

bool NumberOffsets::are_known() const {
  return std::min({task_leader, task_pid, pid_level, pid_numbers, entry_number, entry_space,
                   space_inode}) >= 0 &&
         entry_bytes > 0;
}

bool UnwindOffsets::are_known() const {
  constexpr std::int32_t kReadTogether = 248;  // words that are read together
  const std::int32_t needed[] = {
      task_mm,    mm_root,   mm_vdso,          range_slot,   arange_slot,  vma_begin,
      vma_end,    vma_flags, vma_page,         vma_file,     file_inode,   inode_sb,
      inode_size, sb_device, inode_changed_ns, inode_number, inode_changed};
  for (const std::int32_t offset : needed) {
    if (offset < 0) return false;
  }
  const auto is_near = [](std::int32_t first, std::int32_t other) {
    return other >= first && other - first <= kReadTogether - 8 && (other - first) % 8 == 0;
  };
  for (const std::int32_t offset : {vma_end, vma_flags, vma_page, vma_file}) {
    if (!is_near(vma_begin, offset)) return false;
  }
  const std::int32_t first = std::min({inode_sb, inode_number, inode_size});
  for (const std::int32_t offset : {inode_sb, inode_number, inode_size, inode_changed}) {
    if (!is_near(first, offset)) return false;
  }
  return is_near(8, range_slot) && is_near(8, arange_slot);
}

}  // namespace dt::bpf

// See starts.h. The format is that of the Linux Standard Base, 10.6.2:
//
//   version 1 | three encodings | pointer to .eh_frame | count | (start, entry) * count
//
// Linkers write the count as udata4 and the table as sdata4 relative to its section.

#include "symbol/code/starts.h"

#include <algorithm>
#include <cstring>

namespace dt::symbol {
namespace {

constexpr std::uint8_t kHeaderVersion = 1, kUdata4 = 0x03, kTableEncoding = 0x3b;
constexpr std::uint64_t kMaxStartsBytes = std::uint64_t{64} << 20;
constexpr std::size_t kHeaderBytes = 12, kStartBytes = 8;

}  // namespace

std::vector<std::uint64_t> code_starts(const ElfFile& elf) {
  std::vector<std::uint64_t> starts;
  const Result<ElfFile::Bytes> table = elf.section(".eh_frame_hdr", kMaxStartsBytes);
  if (!table.ok() || table->size() < kHeaderBytes) return starts;
  const std::uint8_t* const bytes = table->data();
  // The pointer to .eh_frame is of 8 bytes then, and the table is not where it is expected. No
  // linker writes that.
  const bool is_eight = (bytes[1] & 0x0f) == 0x04 || (bytes[1] & 0x0f) == 0x0c;
  if (bytes[0] != kHeaderVersion || is_eight || bytes[2] != kUdata4 || bytes[3] != kTableEncoding) {
    return starts;
  }
  std::uint32_t count = 0;
  std::memcpy(&count, bytes + 8, sizeof count);
  // The count is a number of the file: the section's size is what bounds the loop.
  const std::size_t most = (table->size() - kHeaderBytes) / kStartBytes;
  const std::uint64_t base = elf.section_address(".eh_frame_hdr");
  for (std::size_t i = 0; i < std::min<std::size_t>(count, most); ++i) {
    std::int32_t start = 0;
    std::memcpy(&start, bytes + kHeaderBytes + i * kStartBytes, sizeof start);
    starts.push_back(base + static_cast<std::uint64_t>(std::int64_t{start}));
  }
  std::sort(starts.begin(), starts.end());
  return starts;
}

}  // namespace dt::symbol

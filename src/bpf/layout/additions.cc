// See additions.h.

#include "bpf/layout/additions.h"

#include <algorithm>

#include "support/check.h"

namespace dt::bpf {

Additions Additions::begin(const Memory& memory) {
  Additions none;
  none.rodata_begin = words_up(static_cast<std::uint32_t>(memory.rodata.size()));
  none.zeros = memory.zeros;
  return none;
}

std::uint32_t Additions::add_rodata(const std::vector<std::uint8_t>& bytes) {
  const auto offset = rodata_begin + static_cast<std::uint32_t>(rodata.size());
  rodata.insert(rodata.end(), bytes.begin(), bytes.end());
  rodata.resize(words_up(static_cast<std::uint32_t>(rodata.size())));
  return offset;
}

std::uint32_t Additions::add_zeros(std::uint32_t bytes) {
  if (zeros.bytes < bytes) {
    zeros.bytes = words_up(std::max(bytes, 256u));
    zeros.offset = add_rodata(std::vector<std::uint8_t>(zeros.bytes, 0));
  }
  return zeros.offset;
}

void add(Additions additions, std::size_t index, Memory& memory) {
  if (!additions.rodata.empty()) {
    memory.rodata.resize(words_up(static_cast<std::uint32_t>(memory.rodata.size())));
    DT_CHECK(memory.rodata.size() == additions.rodata_begin, "{} bytes, planned {}",
             memory.rodata.size(), additions.rodata_begin);
    memory.rodata.insert(memory.rodata.end(), additions.rodata.begin(), additions.rodata.end());
  }
  memory.zeros = additions.zeros;
  memory.scratch_bytes = std::max(memory.scratch_bytes, additions.scratch_bytes);
  memory.kept[index] = std::move(additions.kept);
  memory.uses_unwind |= additions.uses_unwind;
  memory.uses_sources |= additions.uses_sources;
}

}  // namespace dt::bpf

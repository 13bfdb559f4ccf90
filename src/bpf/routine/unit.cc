// See unit.h.

#include "bpf/routine/unit.h"

#include <algorithm>

namespace dt::bpf {

std::uint32_t Unit::add_rodata(const std::vector<std::uint8_t>& bytes) {
  memory.rodata.resize(words_up(static_cast<std::uint32_t>(memory.rodata.size())));
  const auto offset = static_cast<std::uint32_t>(memory.rodata.size());
  memory.rodata.insert(memory.rodata.end(), bytes.begin(), bytes.end());
  memory.rodata.resize(words_up(static_cast<std::uint32_t>(memory.rodata.size())));
  return offset;
}

std::uint32_t Unit::zeros(std::uint32_t bytes) {
  if (memory.zeros_bytes < bytes) {
    memory.zeros_bytes = words_up(std::max(bytes, 256u));
    memory.zeros_offset = add_rodata(std::vector<std::uint8_t>(memory.zeros_bytes, 0));
  }
  return memory.zeros_offset;
}

Label Unit::routine(Routine::Kind kind, std::uint32_t first, std::uint32_t second) {
  const Routine wanted = {kind, first, second};
  for (const auto& [known, label] : routines) {
    if (known == wanted) return label;
  }
  return routines.emplace_back(wanted, e.label()).second;
}

}  // namespace dt::bpf

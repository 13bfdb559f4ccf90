// See node_name.h.

#include "bpf/routine/node_name.h"

#include <algorithm>
#include <cstdint>
#include <cstring>

#include "bpf/layout/word_load.h"

namespace dt::bpf {

// As many bytes as the wanted name has, with its NUL, and no more: what follows a name in the
// kernel's memory may not be readable.
void jump_if_other_name(Emitter& e, Reg address, const std::string& wanted, Label other) {
  constexpr std::size_t kWordBytes = 8;
  const StackSlot slot = e.stack(kWordBytes);
  const std::size_t length = wanted.size() + 1;
  for (std::size_t at = 0; at < length; at += kWordBytes) {
    const std::size_t bytes = std::min(length - at, kWordBytes);
    std::uint64_t word = 0;
    std::memcpy(&word, wanted.c_str() + at, bytes);
    const Reg have = fetch_word(e, slot, address, static_cast<std::int32_t>(at),
                                static_cast<std::uint32_t>(bytes));
    e.jump_if(Cond::kNe, have, e.imm(static_cast<std::int64_t>(word)), other);
  }
}

}  // namespace dt::bpf

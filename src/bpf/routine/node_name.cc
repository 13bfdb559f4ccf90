// See node_name.h.

#include "bpf/routine/node_name.h"

#include <algorithm>
#include <cstdint>
#include <cstring>

#include "bpf/layout/word_load.h"

namespace dt::bpf {

// Jumps to `other` unless the name at the address is the wanted one. The helper reads many bytes at
// once, into a part of the stack, of which there is little. As many as the wanted name has, with
// its NUL, and no more: what follows a name in the kernel's memory may not be readable. Differences
// are gathered, and lead to one branch: with one for each word, a verifier that goes through a loop
// with this in it looks at every way through each turn.
void jump_if_other_name(Emitter& e, Reg address, const std::string& wanted, Label other) {
  constexpr std::size_t kCompared = 8, kMostBytes = 64;
  const std::size_t length = wanted.size() + 1;
  const std::size_t words = (std::min(length, kMostBytes) + kCompared - 1) / kCompared;
  const StackSlot slot = e.stack(static_cast<std::uint32_t>(words * kCompared));
  const Reg differs = e.imm(0);
  for (std::size_t begin = 0; begin < length; begin += kMostBytes) {
    const std::size_t bytes = std::min(length - begin, kMostBytes);
    const std::size_t last = (bytes - 1) / kCompared * kCompared;
    // The helper does not write behind the last byte.
    e.store_imm(kCompared, e.stack_address(slot), static_cast<std::int32_t>(last), 0);
    copy_kernel(e, e.stack_address(slot), address, static_cast<std::int32_t>(begin),
                static_cast<std::uint32_t>(bytes));
    for (std::size_t at = 0; at < bytes; at += kCompared) {
      std::uint64_t expected = 0;
      std::memcpy(&expected, wanted.c_str() + begin + at, std::min(bytes - at, kCompared));
      const Reg word = e.load(kCompared, e.stack_address(slot), static_cast<std::int32_t>(at));
      e.alu(Alu::kXor, word, e.imm(static_cast<std::int64_t>(expected)));
      e.alu(Alu::kOr, differs, word);
    }
  }
  e.jump_if_imm(Cond::kNe, differs, 0, other);
}

}  // namespace dt::bpf

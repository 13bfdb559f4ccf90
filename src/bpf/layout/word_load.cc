// See word_load.h.

#include "bpf/layout/word_load.h"

#include "support/check.h"

namespace dt::bpf {

Reg cast_to_words(Emitter& e, const Words& words, Reg address, std::int32_t offset) {
  DT_CHECK(words.are_known());
  const Reg start = e.reg();
  e.mov(start, address);
  e.alu_imm(Alu::kAdd, start, offset - kFirstWord);
  return e.call_kernel(words.cast, {start, e.imm(words.type)});
}

Reg load_word(Emitter& e, const Words& words, Reg address, std::int32_t offset,
              std::uint32_t size) {
  return e.load(size, cast_to_words(e, words, address, offset), kFirstWord);
}

}  // namespace dt::bpf

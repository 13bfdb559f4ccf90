// See word_load.h.

#include "bpf/layout/word_load.h"

#include <linux/bpf.h>

#include "support/check.h"

namespace dt::bpf {

// bpf_rdonly_cast() tells the verifier that an address is a pointer to a structure of the kernel. A
// load through it is one instruction, which the kernel guards: where nothing is mapped it gives 0
// and does not fault. The helper would cost a call for each word.
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

void copy_kernel(Emitter& e, Reg to, Reg address, std::int32_t offset, std::uint32_t bytes) {
  const Reg from = e.reg();
  e.mov(from, address);
  e.alu_imm(Alu::kAdd, from, offset);
  e.call_void(BPF_FUNC_probe_read_kernel, {to, e.imm(bytes), from});
}

// The helper writes all that it is given, zeros where it cannot read. Of 3, 5, 6 or 7 bytes
// there is no load, so the rest of the word must be zeros before.
Reg fetch_word(Emitter& e, StackSlot slot, Reg address, std::int32_t offset, std::uint32_t size) {
  DT_CHECK(size > 0 && size <= 8, "{}", size);
  const bool is_loaded = (size & (size - 1)) == 0;
  if (!is_loaded) e.store_imm(8, e.stack_address(slot), 0, 0);
  copy_kernel(e, e.stack_address(slot), address, offset, size);
  return e.load(is_loaded ? size : 8, e.stack_address(slot), 0);
}

Reg read_word(Emitter& e, const Words& words, Reg address, std::int32_t offset,
              std::uint32_t size) {
  return words.are_known() ? load_word(e, words, address, offset, size)
                           : fetch_word(e, e.stack(8), address, offset, size);
}

}  // namespace dt::bpf

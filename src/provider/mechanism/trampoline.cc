// See trampoline.h.

#include "provider/mechanism/trampoline.h"

#include <linux/bpf.h>

#include <initializer_list>

namespace dt::provider {

using bpf::Emitter;
using bpf::Reg;

namespace {

// A stack begins with the function's caller. Before it stand bpf_prog_* and
// bpf_trampoline_*, and then the function, a few bytes behind its start, unless
// it has left for the trampoline instead of calling it (Linux 7, fexit).
constexpr std::uint32_t kFramesOfTrampoline = 2;
constexpr std::int32_t kMostBytesOfEntry = 64;

}  // namespace

// The verifier knows the types of pointers that a program loads from the context, and
// then allows no arithmetic; the helpers, which it turns into loads, give plain numbers.
Reg trampoline_argument(Emitter& emitter, Reg context, std::uint32_t number) {
  const bpf::StackSlot slot = emitter.stack(8);
  emitter.store_imm(8, emitter.stack_address(slot), 0, 0);
  emitter.call_void(BPF_FUNC_get_func_arg,
                    {context, emitter.imm(number), emitter.stack_address(slot)});
  return emitter.load(8, emitter.stack_address(slot), 0);
}

Reg trampoline_result(Emitter& emitter, Reg context) {
  const bpf::StackSlot slot = emitter.stack(8);
  emitter.store_imm(8, emitter.stack_address(slot), 0, 0);
  emitter.call_void(BPF_FUNC_get_func_ret, {context, emitter.stack_address(slot)});
  return emitter.load(8, emitter.stack_address(slot), 0);
}

Reg TrampolinePrologue::stack_frames(Emitter& emitter, Reg context, std::uint32_t calls) {
  const Reg skip = emitter.imm(kFramesOfTrampoline + calls);
  const bpf::StackSlot slot = emitter.stack(8);
  emitter.store_imm(8, emitter.stack_address(slot), 0, 0);
  emitter.call_void(BPF_FUNC_get_stack, {context, emitter.stack_address(slot), emitter.imm(8),
                                         emitter.imm(kFramesOfTrampoline + calls)});
  const Reg function = emitter.call(BPF_FUNC_get_func_ip, {context});
  const Reg frame = emitter.load(8, emitter.stack_address(slot), 0);
  emitter.alu(bpf::Alu::kSub, frame, function);
  const bpf::Label done = emitter.label();
  emitter.jump_if_imm(bpf::Cond::kGt, frame, kMostBytesOfEntry, done);
  emitter.alu_imm(bpf::Alu::kAdd, skip, 1);
  emitter.bind(done);
  return skip;
}

Reg TrampolinePrologue::enter(Emitter& emitter, Reg, bpf::Label) { return emitter.imm(0); }

Reg TrampolinePrologue::argument(Emitter& emitter, Reg context, std::uint32_t number) {
  if (is_return_) return number == 1 ? trampoline_result(emitter, context) : emitter.imm(0);
  return number < parameters_ ? trampoline_argument(emitter, context, number) : emitter.imm(0);
}

Reg TrampolinePrologue::error_number(Emitter& emitter, Reg) { return emitter.imm(0); }

}  // namespace dt::provider

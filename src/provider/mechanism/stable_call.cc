// See stable_call.h.

#include "provider/mechanism/stable_call.h"

#include "machine/x86_64/calls.h"

namespace dt::provider {

using bpf::Cond;

bpf::Reg call_number(StableCode& code, bpf::Label ia32) {
  const bpf::Reg number = code.member(code.word(0), "pt_regs", "orig_ax");
  const bpf::Reg status = code.member(code.current(), "task_struct", "thread_info.status");
  code.emitter().jump_if_imm(Cond::kSet, status, machine::kCompatCall, ia32);
  return number;
}

void leave_unless_call(StableCode& code, std::span<const CallNumbers> calls, bpf::Label leave) {
  bpf::Emitter& e = code.emitter();
  const bpf::Label ia32 = e.label(), is_one = e.label();
  const bpf::Reg number = call_number(code, ia32);
  const auto is = [&](std::int32_t one) {
    if (one >= 0) e.jump_if_imm(Cond::kEq, number, one, is_one);
  };
  for (const CallNumbers& call : calls) {
    is(call.native);
    is(call.x32);
  }
  e.jump(leave);
  e.bind(ia32);
  for (const CallNumbers& call : calls) is(call.ia32);
  e.jump(leave);
  e.bind(is_one);
}

}  // namespace dt::provider

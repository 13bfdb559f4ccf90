// The routine that tells what number a thread or process has for us, when we are in a
// namespace of processes that is not the first: see NumberOffsets.

#include "bpf/routine/string_code.h"
#include "bpf/routine/unit.h"

namespace dt::bpf {

namespace {

constexpr std::int32_t kMaxLevels = 32;  // the kernel's MAX_PID_NS_LEVEL

// `size` bytes of the kernel's memory at address + offset; 0 where it cannot be read.
Reg read_number(Emitter& e, StackSlot word, Reg address, std::int32_t offset, std::uint32_t size) {
  const Reg from = copy(e, address);
  e.alu_imm(Alu::kAdd, from, offset);
  e.store_imm(8, e.stack_address(word), 0, 0);
  e.call_void(BPF_FUNC_probe_read_kernel, {e.stack_address(word), e.imm(size), from});
  return e.load(8, e.stack_address(word), 0);
}

}  // namespace

void emit_number(Unit& unit, Label name) {
  Emitter& e = unit.e;
  const NumberOffsets& at = unit.memory.machine.number;
  const std::vector<Reg> r = begin_routine(e, name, "dt_number", {{}, {}});
  const Reg pid = r[0], what = r[1];  // at first the task, if it is one
  const StackSlot word = e.stack(8);
  const Label loop = e.label(), thread = e.label(), given = e.label();
  const Label none = e.label(), found = e.label();
  const auto is = [](NumberOf one) { return static_cast<std::int32_t>(one); };
  e.jump_if_imm(Cond::kEq, what, is(NumberOf::kPid), given);
  e.jump_if_imm(Cond::kEq, what, is(NumberOf::kThread), thread);
  e.mov(pid, read_number(e, word, pid, at.task_leader, 8));
  e.bind(thread);
  e.mov(pid, read_number(e, word, pid, at.task_pid, 8));
  e.bind(given);
  // A thread that has ended has none.
  e.jump_if_imm(Cond::kEq, pid, 0, none);
  // It has a number in its own namespace and in each that this one is within.
  const Reg entry = read_number(e, word, pid, at.pid_level, 4);
  e.alu_imm(Alu::kMul, entry, at.entry_bytes);
  e.alu_imm(Alu::kAdd, entry, at.pid_numbers);
  const Reg left = e.imm(kMaxLevels), wanted = e.imm(at.space);
  e.bind(loop);
  const Reg place = copy(e, entry);
  e.alu(Alu::kAdd, place, pid);
  const Reg space = read_number(e, word, place, at.entry_space, 8);
  e.jump_if(Cond::kEq, read_number(e, word, space, at.space_inode, 4), wanted, found);
  e.alu_imm(Alu::kSub, entry, at.entry_bytes);
  e.jump_if_imm(Cond::kSlt, entry, at.pid_numbers, none);
  e.alu_imm(Alu::kSub, left, 1);
  e.jump_if_imm(Cond::kNe, left, 0, loop);
  e.bind(none);
  ret_imm(e, 0);
  e.bind(found);
  e.ret(read_number(e, word, place, at.entry_number, 4));
}

}  // namespace dt::bpf

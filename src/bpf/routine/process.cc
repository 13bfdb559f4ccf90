// The routine that tells what number a thread or process has for us, when we are in a
// namespace of processes that is not the first: see NumberOffsets.

#include "bpf/layout/word_load.h"
#include "bpf/routine/string_code.h"
#include "bpf/routine/unit.h"

namespace dt::bpf {

namespace {

constexpr std::int32_t kMaxLevels = 32;  // the kernel's MAX_PID_NS_LEVEL

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
  e.mov(pid, fetch_word(e, word, pid, at.task_leader, 8));
  e.bind(thread);
  e.mov(pid, fetch_word(e, word, pid, at.task_pid, 8));
  e.bind(given);
  // A thread that has ended has none.
  e.jump_if_imm(Cond::kEq, pid, 0, none);
  // It has a number in its own namespace and in each that this one is within.
  const Reg entry = fetch_word(e, word, pid, at.pid_level, 4);
  e.alu_imm(Alu::kMul, entry, at.entry_bytes);
  e.alu_imm(Alu::kAdd, entry, at.pid_numbers);
  const Reg left = e.imm(kMaxLevels), wanted = e.imm(at.space);
  e.bind(loop);
  const Reg place = copy(e, entry);
  e.alu(Alu::kAdd, place, pid);
  const Reg space = fetch_word(e, word, place, at.entry_space, 8);
  e.jump_if(Cond::kEq, fetch_word(e, word, space, at.space_inode, 4), wanted, found);
  e.alu_imm(Alu::kSub, entry, at.entry_bytes);
  e.jump_if_imm(Cond::kSlt, entry, at.pid_numbers, none);
  e.alu_imm(Alu::kSub, left, 1);
  e.jump_if_imm(Cond::kNe, left, 0, loop);
  e.bind(none);
  ret_imm(e, 0);
  e.bind(found);
  e.ret(fetch_word(e, word, place, at.entry_number, 4));
}

}  // namespace dt::bpf

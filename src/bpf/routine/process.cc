// The routines that tell what number a thread or process has for us, when we are in a
// namespace of processes that is not the first (see NumberOffsets), and whether it descends
// from another.

#include <algorithm>

#include "bpf/layout/word_load.h"
#include "bpf/routine/string_code.h"
#include "bpf/routine/unit.h"

namespace dt::bpf {

namespace {

constexpr std::int32_t kMaxNamespaceLevels = 32;  // the kernel's MAX_PID_NS_LEVEL
constexpr std::int32_t kMaxAncestors = 256;
// What one base of words reaches: see word_load.h.
constexpr std::int32_t kKeptWordsBytes = 240;

// Two members of what is at `address`, of 4 and of 8 bytes; one cast for both if they are near.
struct TwoMembers {
  Reg first, second;
};
TwoMembers read_both(Emitter& e, const Words& words, Reg address, std::int32_t first,
                     std::int32_t second) {
  const std::int32_t from = std::min(first, second) & ~7;
  if (!words.are_known() || std::max(first, second) + 8 - from > kKeptWordsBytes) {
    return {read_word(e, words, address, first, 4), read_word(e, words, address, second, 8)};
  }
  const Reg base = cast_to_words(e, words, address, from);
  return {e.load(4, base, first - from + kFirstWord), e.load(8, base, second - from + kFirstWord)};
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
  const Reg left = e.imm(kMaxNamespaceLevels), wanted = e.imm(at.space);
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

// Goes up from the task until a process is the wanted one or has no number, which only the
// idle task has not. Its members are read as words: each load of a pointer by its type costs
// the verifier half a millisecond (6.18), as it searches the kernel's types for rules on it.
void emit_progeny(Unit& unit, Label name) {
  Emitter& e = unit.e;
  const Machine& machine = unit.memory.machine;
  const std::vector<Reg> r = begin_routine(e, name, "dt_progeny", {{}, {}});
  const Label loop = e.label(), found = e.label(), top = e.label();
  const Reg task = copy(e, r[0]), wanted = copy(e, r[1]), left = e.imm(kMaxAncestors);
  e.bind(loop);
  auto [number, parent] =
      read_both(e, machine.words, task, machine.task_tgid, machine.task_real_parent);
  if (machine.number.space != 0) {
    number = e.call_subprogram(unit.routine(Routine::Kind::kNumber),
                               {task, e.imm(static_cast<std::int64_t>(NumberOf::kProcess))});
  }
  e.jump_if(Cond::kEq, number, wanted, found);
  e.jump_if_imm(Cond::kEq, number, 0, top);
  e.mov(task, parent);
  e.alu_imm(Alu::kSub, left, 1);
  e.jump_if_imm(Cond::kNe, left, 0, loop);
  ret_imm(e, 2);
  e.bind(found);
  ret_imm(e, 1);
  e.bind(top);
  ret_imm(e, 0);
}

}  // namespace dt::bpf

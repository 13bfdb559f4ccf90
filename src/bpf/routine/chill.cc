// chill(): a probe that waits.
//
// A CPU may spend half of each second so, as in DTrace, and no more: what asks
// for more is refused before it begins. There is no helper that sleeps here, so
// the clock is read until it is late enough, in loops that the verifier sees to
// end: a global function is verified once, so three loops within each other cost
// it the sum of their turns.

#include "bpf/layout/drop.h"
#include "bpf/routine/string_code.h"
#include "bpf/routine/unit.h"

namespace dt::bpf {

namespace {

constexpr std::int32_t kSecondNs = 1'000'000'000;
constexpr std::int32_t kMostNs = kSecondNs / 2;
// In all 67 million looks at the clock, of 8 ns at least.
constexpr std::int32_t kLooks = 1024, kSome = 512, kMany = 128;

enum Misc : std::int32_t { kBegan = 8, kSpent = 16 };  // Memory::misc_offset

// Whether the CPU may spend `ns` more: else goes to `refused`. An interrupt
// may come in between at any place and do the same.
void take_allowance(Emitter& e, Reg misc, Reg now, Reg ns, Label refused) {
  const Label same_second = e.label(), granted = e.label();
  e.jump_if_imm(Cond::kGt, ns, kMostNs, refused);
  const Reg began = e.load(8, misc, kBegan);
  const Reg passed = copy(e, now);
  e.alu(Alu::kSub, passed, began);
  e.jump_if_imm(Cond::kLe, passed, kSecondNs, same_second);
  const Reg spent = e.load(8, misc, kSpent), next = copy(e, now), found = copy(e, began);
  e.atomic(Atomic::kCmpxchg, 8, misc, kBegan, next, found);
  e.jump_if(Cond::kNe, found, began, same_second);
  e.neg(spent);
  e.atomic(Atomic::kAdd, 8, misc, kSpent, spent);
  e.bind(same_second);
  const Reg sum = copy(e, ns);
  e.atomic(Atomic::kFetchAdd, 8, misc, kSpent, sum);
  e.alu(Alu::kAdd, sum, ns);
  e.jump_if_imm(Cond::kLe, sum, kMostNs, granted);
  const Reg back = copy(e, ns);
  e.neg(back);
  e.atomic(Atomic::kAdd, 8, misc, kSpent, back);
  e.jump(refused);
  e.bind(granted);
}

void emit_main(Unit& unit, Label name) {
  Emitter& e = unit.e;
  const Reg ns = begin_routine(e, name, "dt_chill", {kNumberParameter})[0];
  const Label refused = e.label(), done = e.label(), loop = e.label();
  const Reg misc = cpu_block(e, unit.memory, refused);
  e.alu_imm(Alu::kAdd, misc, static_cast<std::int32_t>(unit.memory.misc_offset));
  const Reg since = e.call(BPF_FUNC_ktime_get_ns, {});
  take_allowance(e, misc, since, ns, refused);
  const Reg left = e.imm(kMany);
  e.bind(loop);
  const Reg is_over = e.call_subprogram(unit.routine(Routine::Kind::kChillMany), {since, ns});
  e.jump_if_imm(Cond::kNe, is_over, 0, done);
  e.alu_imm(Alu::kSub, left, 1);
  e.jump_if_imm(Cond::kNe, left, 0, loop);
  e.bind(done);
  ret_imm(e, 0);
  e.bind(refused);
  ret_imm(e, 1);
}

}  // namespace

void emit_chill(Unit& unit, Label name, const Routine& routine) {
  if (routine.kind == Routine::Kind::kChill) return emit_main(unit, name);
  Emitter& e = unit.e;
  const bool is_inner = routine.kind == Routine::Kind::kChillSome;
  const std::vector<Reg> r = begin_routine(e, name, is_inner ? "dt_chill_some" : "dt_chill_many",
                                           {kNumberParameter, kNumberParameter});
  const Label loop = e.label(), over = e.label();
  const Reg left = e.imm(is_inner ? kLooks : kSome);
  e.bind(loop);
  if (is_inner) {
    const Reg now = e.call(BPF_FUNC_ktime_get_ns, {});
    e.alu(Alu::kSub, now, r[0]);
    e.jump_if(Cond::kGe, now, r[1], over);
  } else {
    const Reg is_over = e.call_subprogram(unit.routine(Routine::Kind::kChillSome), {r[0], r[1]});
    e.jump_if_imm(Cond::kNe, is_over, 0, over);
  }
  e.alu_imm(Alu::kSub, left, 1);
  e.jump_if_imm(Cond::kNe, left, 0, loop);
  ret_imm(e, 0);
  e.bind(over);
  ret_imm(e, 1);
}

}  // namespace dt::bpf

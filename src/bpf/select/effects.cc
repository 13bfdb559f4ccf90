// See effects.h.
//
// A signal goes to the current process through bpf_send_signal(). Where interrupts are off, the
// kernel cannot send it at once, and does so from an interrupt that it raises for itself.
//
// exit() exchanges the state of tracing: the one firing that finds another state than kDraining is
// the first, and its status counts.

#include "bpf/select/effects.h"

#include <linux/bpf.h>

#include <cstddef>

#include "bpf/layout/control.h"
#include "bpf/routine/routine.h"
#include "bpf/select/bytes.h"
#include "bpf/select/context.h"
#include "bpf/select/failures.h"
#include "bpf/select/values.h"
#include "record/drop.h"
#include "record/speculation.h"
#include "record/wire.h"

namespace dt::bpf {

// raise() and stop(). A kernel thread takes no signals, and in an interrupt that
// came upon another one there may be no room to remember it.
void Effects::signal(const ir::Inst& inst) {
  const Reg failed = e_.call(BPF_FUNC_send_signal, {values_.reg(inst.args[0])});
  e_.jump_if_imm(Cond::kNe, failed, 0,
                 failures_.fault(inst, record::Fault::kIllegalOperation, e_.imm(0)));
}

// The first exit() decides the status.
void Effects::exit(const ir::Inst& inst) {
  const Reg control = e_.map_value({MapKind::kGlobals, 0}, 0);
  const Reg state = e_.imm(static_cast<std::int32_t>(State::kDraining));
  const Label done = e_.label();
  e_.atomic(Atomic::kXchg, 4, control, offsetof(Control, state), state);
  e_.jump_if_imm(Cond::kEq, state, static_cast<std::int32_t>(State::kDraining), done);
  bytes_.store_to({control, offsetof(Control, exit_status)}, ir::Type::s32(), inst.args[0]);
  e_.bind(done);
}

void Effects::chill(const ir::Inst& inst) {
  const Reg refused =
      e_.call_subprogram(unit_.routine(Routine::Kind::kChill), {values_.reg(inst.args[0])});
  e_.jump_if_imm(Cond::kNe, refused, 0,
                 failures_.fault(inst, record::Fault::kIllegalOperation, e_.imm(0)));
}

// The first free slot, from that of the number of speculations begun on. A slot is
// taken and left by compare-and-exchange, so that firings on all CPUs agree on
// whose it is; a free one holds the negative of its last id, or 0.
void Effects::begin_speculation(const ir::Inst& inst) {
  const std::uint32_t count = unit_.program.speculations;
  if (count == 0) {
    failures_.drop(record::Drop::kSpecUnavailable);
    values_.define(inst, e_.imm(0));
    return;
  }
  const auto words = static_cast<std::int32_t>(count);
  const Reg base = e_.map_value({MapKind::kGlobals, 0}, unit_.memory.speculations_offset);
  const Reg number = e_.imm(1);
  e_.atomic(Atomic::kFetchAdd, 8, base, 0, number);

  const Reg id = e_.imm(0), tried = e_.imm(0);
  const Label again = e_.label(), take = e_.label(), next = e_.label();
  const Label none = e_.label(), done = e_.label();
  e_.bind(again);
  e_.jump_if_imm(Cond::kGe, tried, words, none);
  const Reg slot = e_.held_copy(number);
  e_.alu_imm(Alu::kMod, slot, words);
  e_.jump_if_imm(Cond::kGe, slot, words, none);  // for the verifier
  e_.mov(id, slot);
  e_.alu_imm(Alu::kAdd, id, 1);
  e_.alu_imm(Alu::kLsh, slot, 3);
  e_.alu(Alu::kAdd, slot, base);
  const Reg free = e_.load(8, slot, 8);
  e_.jump_if_imm(Cond::kSgt, free, 0, next);
  e_.jump_if_imm(Cond::kEq, free, 0, take);
  const Reg following = e_.reg();
  e_.mov(following, free);
  e_.neg(following);
  e_.alu_imm(Alu::kAdd, following, words);
  e_.jump_if_imm(Cond::kGt, following, record::last_speculation(count), take);
  e_.mov(id, following);
  e_.bind(take);
  const Reg found = e_.reg();
  e_.mov(found, free);
  e_.atomic(Atomic::kCmpxchg, 8, slot, 8, id, found);
  e_.jump_if(Cond::kEq, found, free, done);
  e_.bind(next);
  e_.alu_imm(Alu::kAdd, number, 1);
  e_.alu_imm(Alu::kAdd, tried, 1);
  e_.jump(again);
  e_.bind(none);
  e_.mov_imm(id, 0);
  failures_.drop(record::Drop::kSpecUnavailable);
  e_.bind(done);
  values_.define(inst, id);
}

// A free slot holds the negative of the last id that it gave.
void Effects::speculation_in_use(const ir::Inst& inst) {
  const auto words = static_cast<std::int32_t>(unit_.program.speculations);
  const Reg id = values_.copy_of(inst.args[0]);
  const Reg result = e_.imm(0);
  const Label done = e_.label(), is_used = e_.label();
  const Label never = failures_.fault(inst, record::Fault::kIllegalOperation, e_.imm(0));
  e_.jump_if_imm(Cond::kEq, id, 0, done);
  if (words == 0) {
    e_.jump(never);
    e_.bind(done);
    values_.define(inst, result);
    return;
  }
  e_.jump_if_imm(Cond::kSlt, id, 0, never);
  const Reg slot = e_.held_copy(id);
  e_.alu_imm(Alu::kSub, slot, 1);
  e_.alu_imm(Alu::kMod, slot, words);
  e_.jump_if_imm(Cond::kGe, slot, words, never);  // for the verifier
  e_.alu_imm(Alu::kLsh, slot, 3);
  e_.alu(Alu::kAdd, slot, e_.map_value({MapKind::kGlobals, 0}, unit_.memory.speculations_offset));
  const Reg last = e_.load(8, slot, 8);
  e_.jump_if(Cond::kEq, last, id, is_used);
  const Label is_positive = e_.label();
  e_.jump_if_imm(Cond::kSge, last, 0, is_positive);
  e_.neg(last);
  e_.bind(is_positive);
  e_.jump_if_imm(Cond::kSle, id, words, done);
  e_.jump_if(Cond::kSgt, id, last, never);
  e_.jump(done);
  e_.bind(is_used);
  e_.mov_imm(result, 1);
  e_.bind(done);
  values_.define(inst, result);
}

void Effects::end_speculation(const ir::Inst& inst) {
  const auto words = static_cast<std::int32_t>(unit_.program.speculations);
  if (words == 0) return;
  const Reg id = values_.copy_of(inst.args[0]);
  const Label done = e_.label();
  e_.jump_if_imm(Cond::kSle, id, 0, done);
  const Reg slot = e_.held_copy(id);
  e_.alu_imm(Alu::kSub, slot, 1);
  e_.alu_imm(Alu::kMod, slot, words);
  e_.jump_if_imm(Cond::kGe, slot, words, done);  // for the verifier
  e_.alu_imm(Alu::kLsh, slot, 3);
  e_.alu(Alu::kAdd, slot, e_.map_value({MapKind::kGlobals, 0}, unit_.memory.speculations_offset));
  const Reg ended = e_.reg();
  e_.mov(ended, id);
  e_.neg(ended);
  e_.atomic(Atomic::kCmpxchg, 8, slot, 8, ended, id);
  e_.bind(done);
}

// The instruction that only faults.
void Effects::fault(const ir::Inst& inst) {
  const Reg where = inst.args.empty() ? e_.imm(0) : values_.reg(inst.args[0]);
  e_.jump(failures_.fault(inst, static_cast<record::Fault>(inst.imm), where));
}

}  // namespace dt::bpf

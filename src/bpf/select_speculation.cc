// Selector: speculations, their ids only. Which records belong to one stands in
// the records, and the consumer keeps them (record/speculation.h).

#include "bpf/select.h"
#include "record/speculation.h"

namespace dt::bpf {

// The first free slot from that of the number on. A slot is taken and left by
// compare-and-exchange, so that firings on all CPUs agree on whose it is.
void Selector::begin_speculation(const ir::Inst& inst) {
  const std::uint32_t count = unit_.program.speculations;
  const auto words = static_cast<std::int32_t>(count);
  const Reg base = e_.map_value({MapKind::kGlobals, 0}, unit_.memory.speculations_offset);
  const Reg number = e_.imm(1);
  e_.atomic(Atomic::kFetchAdd, 8, base, 0, number);
  const Reg first_id = e_.reg();
  e_.mov(first_id, number);
  e_.alu_imm(Alu::kMod, first_id, static_cast<std::int32_t>(record::generations(count)));
  e_.alu_imm(Alu::kMul, first_id, words);
  e_.alu_imm(Alu::kAdd, first_id, 1);

  const Reg id = e_.imm(0), tried = e_.imm(0);
  const Label again = e_.label(), none = e_.label(), done = e_.label();
  e_.bind(again);
  e_.jump_if_imm(Cond::kGe, tried, words, none);
  const Reg slot = e_.reg();
  e_.mov(slot, number);
  e_.alu_imm(Alu::kMod, slot, words);
  e_.jump_if_imm(Cond::kGe, slot, words, none);  // for the verifier
  e_.mov(id, first_id);
  e_.alu(Alu::kAdd, id, slot);
  e_.alu_imm(Alu::kLsh, slot, 3);
  e_.alu(Alu::kAdd, slot, base);
  const Reg held = e_.imm(0);
  e_.atomic(Atomic::kCmpxchg, 8, slot, 8, id, held);
  e_.jump_if_imm(Cond::kEq, held, 0, done);
  e_.alu_imm(Alu::kAdd, number, 1);
  e_.alu_imm(Alu::kAdd, tried, 1);
  e_.jump(again);
  e_.bind(none);
  e_.mov_imm(id, 0);
  drop(record::Drop::kSpecUnavailable);
  e_.bind(done);
  define(inst, id);
}

void Selector::end_speculation(const ir::Inst& inst) {
  const auto words = static_cast<std::int32_t>(unit_.program.speculations);
  const Reg id = copy_of(inst.args[0]);
  const Label done = e_.label();
  e_.jump_if_imm(Cond::kSle, id, 0, done);
  const Reg slot = e_.reg();
  e_.mov(slot, id);
  e_.alu_imm(Alu::kSub, slot, 1);
  e_.alu_imm(Alu::kMod, slot, words);
  e_.jump_if_imm(Cond::kGe, slot, words, done);  // for the verifier
  e_.alu_imm(Alu::kLsh, slot, 3);
  e_.alu(Alu::kAdd, slot, e_.map_value({MapKind::kGlobals, 0}, unit_.memory.speculations_offset));
  e_.atomic(Atomic::kCmpxchg, 8, slot, 8, e_.imm(0), id);
  e_.bind(done);
}

}  // namespace dt::bpf

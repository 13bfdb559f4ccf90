// Subprograms for faults and drops.

#include "bpf/program/faults.h"

#include <algorithm>
#include <cstddef>

#include "bpf/layout/drop.h"
#include "bpf/layout/firing_number.h"
#include "bpf/select/select_function.h"
#include "ir/fuse.h"
#include "kernel/function.h"

namespace dt::bpf {

namespace {

Reg low_half(Emitter& e, Reg pair) {
  const Reg half = e.reg();
  e.mov32(half, pair);
  return half;
}

Reg high_half(Emitter& e, Reg pair) {
  const Reg half = e.reg();
  e.mov(half, pair);
  e.alu_imm(Alu::kRsh, half, 32);
  return half;
}

// The same value, but no verifier knows that: kernel/function.h says why not to compute with a
// parameter as it is. By two stores of 4 bytes and a load of 8: the verifier tracks what was stored
// in a slot only as a whole.
Reg forgotten(Emitter& e, Reg value) {
  const StackSlot slot = e.stack(8);
  const Reg at = e.stack_address(slot), high = high_half(e, value);
  e.store(4, at, 0, value);
  e.store(4, at, 4, high);
  return e.load(8, at, 0);
}

struct FaultParameters {
  Reg who, what, offset, where, context;
  Reg number;  // of the firing, where there are numbers
};

// Parameters are packed two into one (`who`, `what`), because a function of BPF has at most five.
void write_fault_record(Unit& unit, const FaultParameters& p) {
  Emitter& e = unit.e;
  const Label full = e.label(), done = e.label();
  const Reg cpu = e.call(BPF_FUNC_get_smp_processor_id, {});
  const Reg record =
      e.call(BPF_FUNC_ringbuf_reserve,
             {e.map({MapKind::kRing, 0}), e.imm(sizeof(record::FaultRecord)), e.imm(0)});
  e.jump_if_imm(Cond::kEq, record, 0, full);
  e.store(4, record, offsetof(record::Header, epid), low_half(e, p.who));
  e.store(2, record, offsetof(record::Header, cpu), cpu);
  store_tag(e, record, record::Kind::kFault, p.number);
  e.store(4, record, offsetof(record::FaultRecord, site), high_half(e, p.who));
  e.store(4, record, offsetof(record::FaultRecord, fault), high_half(e, p.what));
  e.store(8, record, offsetof(record::FaultRecord, address), p.where);
  // A wake-up costs more than the record. A probe that faults at every firing must not slow down
  // the system because of that; the consumer comes by its own clock.
  e.call_void(BPF_FUNC_ringbuf_submit, {record, e.imm(BPF_RB_NO_WAKEUP)});
  e.jump(done);
  e.bind(full);
  count_drop(e, unit.drop_function, record::Drop::kPrincipal);
  e.bind(done);
}

}  // namespace

bool errors_need_context(const ir::Program& program, const enabling::Plan& plan) {
  for (const enabling::ClauseBinding& binding : plan.error_clauses) {
    for (const ir::Block& block : program.clauses[binding.clause].body.blocks) {
      if (std::any_of(block.insts.begin(), block.insts.end(), needs_context)) return true;
    }
  }
  return false;
}

void emit_fault_function(Unit& unit, const enabling::Plan& plan, std::uint32_t calls) {
  Emitter& e = unit.e;
  std::vector<Reg> r = unit.fault_takes_context
                           ? e.begin_function(unit.fault_function, 5)
                           : e.begin_global_function(unit.fault_function, "dt_fault",
                                                     std::vector<kernel::Parameter>(4));
  for (std::size_t i = 0; i < 4; ++i) r[i] = forgotten(e, r[i]);
  r.resize(5);
  FaultParameters p = {r[0], r[1], r[2], r[3], r[4], {}};
  if (unit.numbers_firings) {
    p.number = e.reg();
    e.mov(p.number, p.what);
    e.alu_imm(Alu::kRsh, p.number, kNumberShift);
    e.alu_imm(Alu::kLsh, p.what, 64 - kNumberShift);
    e.alu_imm(Alu::kRsh, p.what, 64 - kNumberShift);
  }
  write_fault_record(unit, p);
  const Label leave = e.label();
  if (plan.error_clauses.empty()) {
    e.bind(leave);
    return e.exit(0);
  }
  std::vector<ir::FuseClause> clauses;
  for (const enabling::ClauseBinding& binding : plan.error_clauses) {
    clauses.push_back({binding.clause, true});
  }
  const ir::Fused fused = ir::fuse(unit.program, clauses);
  FunctionSpec spec;
  spec.bindings = &plan.error_clauses;
  spec.probes = {plan.error_probe};
  spec.context = p.context;
  spec.calls = calls;
  spec.is_error = true;
  spec.number = p.number;
  spec.argument = [&e, p](std::uint32_t number) {
    switch (number) {
      case 1:
        return low_half(e, p.who);
      case 2:
        return low_half(e, p.what);
      case 3:
        return p.offset;
      case 4:
        return high_half(e, p.what);
      case 5:
        return p.where;
      default:
        return e.imm(0);
    }
  };
  spec.error_number = [&e] { return e.imm(0); };
  select_function(unit, std::move(spec), fused, leave);
}

}  // namespace dt::bpf

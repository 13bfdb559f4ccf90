// See context.h.

#include "bpf/select/context.h"

namespace dt::bpf {

FunctionContext::FunctionContext(Unit& in_unit, FunctionSpec function,
                                 const ir::Fused& fused_clauses)
    : unit(in_unit),
      e(in_unit.e),
      spec(std::move(function)),
      fused(fused_clauses),
      fn(fused_clauses.fn),
      analysis(in_unit, fn) {
  for (std::size_t b = 0; b < fn.blocks.size(); ++b) labels.push_back(e.label());
  exit = e.label();
}

void FunctionContext::refuse(ir::Refusal::Code code, const ir::Inst& asks, std::string detail) {
  if (unit.refusal) return;
  unit.refusal = {.code = code, .place = e.span(), .asks = asks, .detail = std::move(detail)};
}

const enabling::ClauseBinding& FunctionContext::binding() const {
  return (*spec.bindings)[fused.block_clause[block]];
}

Place FunctionContext::rodata(std::uint32_t offset) {
  return {e.map_value({MapKind::kRodata, 0}, offset), 0};
}

Reg FunctionContext::address(Place place) {
  if (place.offset == 0) return place.base;
  const Reg reg = e.reg();
  e.mov(reg, place.base);
  e.alu_imm(Alu::kAdd, reg, place.offset);
  return reg;
}

// A fault may leave a clause anywhere, so nothing is taken over from another
// clause but from the entry.
bool FunctionContext::usable(ir::BlockId from) const {
  if (from == 0) return true;
  return fused.block_clause[from] == fused.block_clause[block] && analysis.dominates(from, block);
}

}  // namespace dt::bpf

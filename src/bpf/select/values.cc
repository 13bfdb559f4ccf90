// See values.h.

#include "bpf/select/values.h"

#include "bpf/asm/lir.h"
#include "bpf/select/context.h"
#include "bpf/select/storage.h"
#include "support/check.h"

namespace dt::bpf {

Values::Values(FunctionContext& f, Storage& storage)
    : f_(f), unit_(f.unit), e_(f.e), storage_(storage), values_(f.fn.value_count) {}

// A constant is made again for each use: no register is kept occupied for it, and folding turns
// most of them into immediates.
Reg Values::reg(ir::ValueId id) {
  const Value& v = values_[id];
  if (v.kind == Value::Kind::kConst) return e_.imm(v.imm);
  if (v.kind == Value::Kind::kStored) return e_.load(8, v.place.base, v.place.offset);
  DT_CHECK(v.kind == Value::Kind::kReg, "%{} is not an integer", id);
  return v.reg;
}

Reg Values::copy_of(ir::ValueId id) {
  const Reg copy = e_.reg();
  const auto known = constant(id);
  if (known)
    e_.mov_imm(copy, *known);
  else
    e_.mov(copy, reg(id));
  return copy;
}

std::optional<std::int64_t> Values::constant(ir::ValueId id) const {
  if (values_[id].kind != Value::Kind::kConst) return std::nullopt;
  return values_[id].imm;
}

void Values::define(const ir::Inst& inst, Reg reg) {
  Value& value = values_[inst.result];
  value = {.kind = Value::Kind::kReg, .type = inst.type, .reg = reg};
  if (!keep_in_frame(inst.result)) return;
  value.kind = Value::Kind::kStored;
  value.place = storage_.frame_word(f_.last_use(inst.result));
  e_.store(8, value.place.base, value.place.offset, reg);
}

// In the last budget, when the registers that are spilled do not fit the stack: values with a long
// life go to the scratch frame, where a load and a store cost little, and stay in a register only
// if they are used soon.
bool Values::keep_in_frame(ir::ValueId id) const {
  constexpr std::uint32_t kSoon = 6;  // instructions
  return unit_.budget.store_values && f_.last_use(id) > f_.position + kSoon;
}

void Values::extend(Reg reg, const ir::Type& type) {
  if (type.size == 8) return;
  if (type.is_signed)
    e_.sign_extend(reg, type.size);
  else
    e_.zero_extend(reg, type.size);
}

void Values::alu_value(Alu op, Reg dst, ir::ValueId id) {
  const auto known = constant(id);
  if (known && fits_s32(*known))
    e_.alu_imm(op, dst, static_cast<std::int32_t>(*known));
  else
    e_.alu(op, dst, reg(id));
}

// Whether the value may be asked for again: by a later clause, or in a clause of
// many branches. A verifier learns from every comparison, for all copies of what
// was compared, and goes through the rest of the program once for each thing
// that it has learnt: comparisons of the same value would multiply. So such
// values are compared by their complements, from which it learns nothing about
// the values themselves.
bool Values::outlives_comparison(ir::ValueId id) const {
  if (f_.analysis.is_branchy && f_.last_use(id) > f_.position) return true;
  if (f_.fused.clauses.size() < 2) return false;
  const ir::Inst* inst = f_.analysis.def[id];
  const bool is_local = inst != nullptr && inst->op == ir::Op::kLoad &&
                        unit_.program.variables[inst->index].scope == ir::Scope::kClause;
  return is_local ||
         f_.fused.block_clause[f_.analysis.def_block[id]] != f_.fused.block_clause[f_.block];
}

// x ^ -1. Comparisons of complements have the same results with the order reversed; equality stays
// as it is.
Reg Values::complement(Reg value) {
  const Reg result = e_.reg();
  e_.mov(result, value);
  e_.alu_imm(Alu::kXor, result, -1);
  return result;
}

// Two complements give the number again, and the verifier does not connect it with the original.
Reg Values::unrelated_copy(ir::ValueId id) {
  if (constant(id) || !outlives_comparison(id)) return copy_of(id);
  const Reg copy = complement(reg(id));
  e_.alu_imm(Alu::kXor, copy, -1);
  return copy;
}

void Values::define_memory(const ir::Inst& inst, Place place, std::uint32_t avail) {
  values_[inst.result] = {
      .kind = Value::Kind::kMemory, .type = inst.type, .place = place, .avail = avail};
}

void Values::constant(const ir::Inst& inst) {
  values_[inst.result] = {.kind = Value::Kind::kConst, .type = inst.type, .imm = inst.imm};
}

}  // namespace dt::bpf

// Selector: integers. Values are 64-bit registers, correctly extended.

#include "bpf/asm/condition.h"
#include "bpf/asm/lir.h"
#include "bpf/select/selector.h"
#include "support/check.h"

namespace dt::bpf {

Reg Selector::reg(ir::ValueId id) {
  const Value& v = values_[id];
  if (v.kind == Value::Kind::kConst) return e_.imm(v.imm);
  if (v.kind == Value::Kind::kStored) return e_.load(8, v.place.base, v.place.offset);
  DT_CHECK(v.kind == Value::Kind::kReg, "%{} is not an integer", id);
  return v.reg;
}

Reg Selector::copy_of(ir::ValueId id) {
  const Reg copy = e_.reg();
  const auto known = constant(id);
  if (known)
    e_.mov_imm(copy, *known);
  else
    e_.mov(copy, reg(id));
  return copy;
}

std::optional<std::int64_t> Selector::constant(ir::ValueId id) const {
  if (values_[id].kind != Value::Kind::kConst) return std::nullopt;
  return values_[id].imm;
}

void Selector::define(const ir::Inst& inst, Reg reg) {
  Value& value = values_[inst.result];
  value = {.kind = Value::Kind::kReg, .type = inst.type, .reg = reg};
  if (!keep_in_frame(inst.result)) return;
  value.kind = Value::Kind::kStored;
  value.place = frame_word(last_use(inst.result));
  e_.store(8, value.place.base, value.place.offset, reg);
}

// Where the registers and the stack do not hold all values, those that are
// needed for long move out.
bool Selector::keep_in_frame(ir::ValueId id) const {
  constexpr std::uint32_t kSoon = 6;  // instructions
  return unit_.budget.store_values && last_use(id) > position_ + kSoon;
}

void Selector::extend(Reg reg, const ir::Type& type) {
  if (type.size == 8) return;
  if (type.is_signed)
    e_.sign_extend(reg, type.size);
  else
    e_.zero_extend(reg, type.size);
}

void Selector::alu_value(Alu op, Reg dst, ir::ValueId id) {
  const auto known = constant(id);
  if (known && fits_s32(*known))
    e_.alu_imm(op, dst, static_cast<std::int32_t>(*known));
  else
    e_.alu(op, dst, reg(id));
}

void Selector::integer(const ir::Inst& inst) {
  using ir::Op;
  if (is_followed_address(inst)) return;
  const Reg dst = copy_of(inst.args[0]);
  const auto shift = [&](Alu op) {
    if (const auto known = constant(inst.args[1])) {
      e_.alu_imm(op, dst, static_cast<std::int32_t>(*known & 63));
    } else {
      // The machine masks the count, but verifiers want to see it in range.
      const Reg count = copy_of(inst.args[1]);
      e_.alu_imm(Alu::kAnd, count, 63);
      e_.alu(op, dst, count);
    }
  };
  switch (inst.op) {
    case Op::kAdd:
      alu_value(Alu::kAdd, dst, inst.args[1]);
      break;
    case Op::kSub:
      alu_value(Alu::kSub, dst, inst.args[1]);
      break;
    case Op::kMul:
      alu_value(Alu::kMul, dst, inst.args[1]);
      break;
    case Op::kAnd:
      alu_value(Alu::kAnd, dst, inst.args[1]);
      break;
    case Op::kOr:
      alu_value(Alu::kOr, dst, inst.args[1]);
      break;
    case Op::kXor:
      alu_value(Alu::kXor, dst, inst.args[1]);
      break;
    case Op::kShl:
      shift(Alu::kLsh);
      break;
    case Op::kShrS:
      shift(Alu::kArsh);
      break;
    case Op::kShrU:
      shift(Alu::kRsh);
      break;
    case Op::kNeg:
      e_.neg(dst);
      break;
    case Op::kNot:
      e_.alu_imm(Alu::kXor, dst, -1);
      break;
    case Op::kExtend:
      extend(dst, inst.type);
      break;
    default:
      DT_UNREACHABLE("{}", ir::op_name(inst.op));
  }
  define(inst, dst);
}

// Division is unsigned in every BPF; signed division is made of it: divide the
// magnitudes, then give the result its sign. INT64_MIN / -1 comes out as
// INT64_MIN, with remainder 0.
void Selector::divide(const ir::Inst& inst) {
  const bool is_signed = inst.op == ir::Op::kDivS || inst.op == ir::Op::kRemS;
  const bool is_remainder = inst.op == ir::Op::kRemS || inst.op == ir::Op::kRemU;
  const Alu op = is_remainder ? Alu::kMod : Alu::kDiv;
  const auto known = constant(inst.args[1]);
  if (!known || *known == 0) {
    const Label by_zero = fault(inst, record::Fault::kDivideByZero, e_.imm(0));
    if (known)
      e_.jump(by_zero);
    else
      e_.jump_if_imm(Cond::kEq, unrelated_copy(inst.args[1]), 0, by_zero);
    if (known) return define(inst, e_.imm(0));
  }
  const Reg dst = copy_of(inst.args[0]);
  if (!is_signed) {
    // An immediate divisor is sign-extended by the machine, as is the value.
    alu_value(op, dst, inst.args[1]);
    return define(inst, dst);
  }
  const auto sign_of = [&](Reg value) {
    const Reg sign = e_.reg();
    e_.mov(sign, value);
    e_.alu_imm(Alu::kArsh, sign, 63);
    return sign;
  };
  const auto apply = [&](Reg value, Reg sign) {
    e_.alu(Alu::kXor, value, sign);
    e_.alu(Alu::kSub, value, sign);
  };
  const Reg sign = sign_of(dst);
  apply(dst, sign);
  if (known) {
    const std::uint64_t bits = static_cast<std::uint64_t>(*known);
    const std::uint64_t magnitude = *known < 0 ? 0 - bits : bits;
    if (magnitude <= 0x7fffffff)
      e_.alu_imm(op, dst, static_cast<std::int32_t>(magnitude));
    else
      e_.alu(op, dst, e_.imm(static_cast<std::int64_t>(magnitude)));
    if (!is_remainder && *known < 0) e_.alu_imm(Alu::kXor, sign, -1);
  } else {
    const Reg divisor = copy_of(inst.args[1]);
    const Reg divisor_sign = sign_of(divisor);
    apply(divisor, divisor_sign);
    e_.alu(op, dst, divisor);
    if (!is_remainder) e_.alu(Alu::kXor, sign, divisor_sign);
  }
  apply(dst, sign);
  define(inst, dst);
}

// ---- Comparisons -------------------------------------------------------------

namespace {

Cond condition_of(ir::Op op) {
  switch (op) {
    case ir::Op::kEq:
      return Cond::kEq;
    case ir::Op::kNe:
      return Cond::kNe;
    case ir::Op::kLtS:
      return Cond::kSlt;
    case ir::Op::kLeS:
      return Cond::kSle;
    case ir::Op::kLtU:
      return Cond::kLt;
    case ir::Op::kLeU:
      return Cond::kLe;
    default:
      DT_UNREACHABLE("{}", ir::op_name(op));
  }
}

}  // namespace

void Selector::compare(const ir::Inst& inst) {
  if (fused_compare_[inst.result]) return;
  const bool is_negated =
      inst.op == ir::Op::kNe || inst.op == ir::Op::kLeS || inst.op == ir::Op::kLeU;
  Reg bit;
  switch (inst.op) {
    case ir::Op::kEq:
    case ir::Op::kNe:
      bit = is_equal(inst.args[0], inst.args[1]);
      break;
    case ir::Op::kLtS:
    case ir::Op::kLtU:
      bit = is_less(inst.args[0], inst.args[1], inst.op == ir::Op::kLtS);
      break;
    default:
      bit = is_less(inst.args[1], inst.args[0], inst.op == ir::Op::kLeS);
      break;
  }
  if (is_negated) e_.alu_imm(Alu::kXor, bit, 1);
  define(inst, bit);
}

// The result of a comparison, 0 or 1, without a branch: verifiers before 6.8
// take a 0 and a 1 on the stack for different, and would go through the rest of
// the program for both.
Reg Selector::is_equal(ir::ValueId a, ir::ValueId b) {
  const Reg bits = copy_of(a), result = e_.reg();
  alu_value(Alu::kXor, bits, b);
  // Zero alone is not negative, and nor is what is opposite to it.
  e_.mov(result, bits);
  e_.neg(result);
  e_.alu(Alu::kOr, result, bits);
  e_.alu_imm(Alu::kRsh, result, 63);
  e_.alu_imm(Alu::kXor, result, 1);
  return result;
}

Reg Selector::is_less(ir::ValueId a, ir::ValueId b, bool is_signed) {
  const Reg difference = copy_of(a);
  alu_value(Alu::kSub, difference, b);
  const auto is_small = [&](ir::ValueId id) {
    return type_of(id).size < 8 && (is_signed || !type_of(id).is_signed);
  };
  if (is_small(a) && is_small(b)) {  // then it fits 64 bits
    e_.alu_imm(Alu::kRsh, difference, 63);
    return difference;
  }
  // Where the signs are the same, that of the difference tells; otherwise the
  // negative one is less, or as an unsigned number more.
  const Reg signs = copy_of(a), other = copy_of(is_signed ? a : b);
  alu_value(Alu::kXor, signs, b);
  e_.alu(Alu::kXor, other, difference);
  e_.alu(Alu::kAnd, other, signs);
  e_.alu(Alu::kXor, other, difference);
  e_.alu_imm(Alu::kRsh, other, 63);
  return other;
}

// Whether the value may be asked for again: by a later clause, or in a clause of
// many branches. A verifier learns from every comparison, for all copies of what
// was compared, and goes through the rest of the program once for each thing
// that it has learnt: comparisons of the same value would multiply. So such
// values are compared by their complements, from which it learns nothing about
// the values themselves.
bool Selector::outlives_comparison(ir::ValueId id) const {
  if (is_branchy_ && last_use(id) > position_) return true;
  if (fused_.clauses.size() < 2) return false;
  const ir::Inst* inst = def_[id];
  const bool is_local = inst != nullptr && inst->op == ir::Op::kLoad &&
                        unit_.program.variables[inst->index].scope == ir::Scope::kClause;
  return is_local || fused_.block_clause[def_block_[id]] != fused_.block_clause[block_];
}

// -1 - value: the order of two values is the reverse of that of their complements.
Reg Selector::complement(Reg value) {
  const Reg result = e_.reg();
  e_.mov(result, value);
  e_.alu_imm(Alu::kXor, result, -1);
  return result;
}

// A copy of which a verifier does not know that it is one.
Reg Selector::unrelated_copy(ir::ValueId id) {
  if (constant(id) || !outlives_comparison(id)) return copy_of(id);
  const Reg copy = complement(reg(id));
  e_.alu_imm(Alu::kXor, copy, -1);
  return copy;
}

// Jumps to `to` when the condition is (`when`) true or false.
void Selector::branch_on(ir::ValueId condition, Label to, bool when) {
  if (fused_compare_[condition]) return compare_jump(*def_[condition], to, when);
  if (const auto known = constant(condition)) {
    if ((*known != 0) == when) e_.jump(to);
    return;
  }
  const Cond cond = when ? Cond::kNe : Cond::kEq;
  if (outlives_comparison(condition)) {
    return e_.jump_if_imm(cond, complement(reg(condition)), -1, to);
  }
  e_.jump_if_imm(cond, reg(condition), 0, to);
}

void Selector::compare_jump(const ir::Inst& inst, Label to, bool when) {
  Cond cond = condition_of(inst.op);
  if (!when) cond = *inverse(cond);  // comparisons never are kSet
  ir::ValueId a = inst.args[0], b = inst.args[1];
  if (constant(a) && !constant(b)) {
    std::swap(a, b);
    cond = mirrored(cond);
  }
  const auto known = constant(b);
  if (outlives_comparison(a) || outlives_comparison(b)) {
    cond = mirrored(cond);
    if (known && fits_s32(*known)) {
      return e_.jump_if_imm(cond, complement(reg(a)), static_cast<std::int32_t>(~*known), to);
    }
    return e_.jump_if(cond, complement(reg(a)), complement(reg(b)), to);
  }
  if (known && fits_s32(*known)) {
    e_.jump_if_imm(cond, reg(a), static_cast<std::int32_t>(*known), to);
  } else {
    e_.jump_if(cond, reg(a), reg(b), to);
  }
}

}  // namespace dt::bpf

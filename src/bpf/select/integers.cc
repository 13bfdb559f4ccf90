// See integers.h.
//
// The verifier tracks for every register the least and the greatest value, signed and unsigned, and
// which bits are known. Comparisons and masks teach it; multiplications and most stack traffic make
// it forget. Code here is written so that it learns what it needs (bounds of offsets) and nothing
// else, because each difference in what it knows is one more state to go through.
//
// BPF's division is unsigned before version 4 of the instruction set; a signed one divides
// magnitudes and gives the result its sign. Division by 0 is a fault in D, and 0 in BPF, so it is
// tested before.

#include "bpf/select/integers.h"

#include "bpf/asm/condition.h"
#include "bpf/asm/lir.h"
#include "bpf/select/context.h"
#include "bpf/select/failures.h"
#include "bpf/select/follow.h"
#include "bpf/select/values.h"
#include "record/wire.h"
#include "support/check.h"

namespace dt::bpf {

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

Integers::Integers(const Core& core, Follow& follow) : SelectionPart(core), follow_(follow) {}

void Integers::integer(const ir::Inst& inst) {
  using ir::Op;
  if (follow_.is_followed_address(inst)) return;
  const Reg dst = values_.copy_of(inst.args[0]);
  const auto shift = [&](Alu op) {
    if (const auto known = values_.constant(inst.args[1])) {
      e_.alu_imm(op, dst, static_cast<std::int32_t>(*known & 63));
    } else {
      // The machine masks the count, but verifiers want to see it in range.
      const Reg count = values_.copy_of(inst.args[1]);
      e_.alu_imm(Alu::kAnd, count, 63);
      e_.alu(op, dst, count);
    }
  };
  switch (inst.op) {
    case Op::kAdd:
      values_.alu_value(Alu::kAdd, dst, inst.args[1]);
      break;
    case Op::kSub:
      values_.alu_value(Alu::kSub, dst, inst.args[1]);
      break;
    case Op::kMul:
      values_.alu_value(Alu::kMul, dst, inst.args[1]);
      break;
    case Op::kAnd:
      values_.alu_value(Alu::kAnd, dst, inst.args[1]);
      break;
    case Op::kOr:
      values_.alu_value(Alu::kOr, dst, inst.args[1]);
      break;
    case Op::kXor:
      values_.alu_value(Alu::kXor, dst, inst.args[1]);
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
      values_.extend(dst, inst.type);
      break;
    default:
      DT_UNREACHABLE("{}", ir::op_name(inst.op));
  }
  values_.define(inst, dst);
}

// Division is unsigned in every BPF; signed division is made of it: divide the
// magnitudes, then give the result its sign. INT64_MIN / -1 comes out as
// INT64_MIN, with remainder 0.
void Integers::divide(const ir::Inst& inst) {
  const bool is_signed = inst.op == ir::Op::kDivS || inst.op == ir::Op::kRemS;
  const bool is_remainder = inst.op == ir::Op::kRemS || inst.op == ir::Op::kRemU;
  const Alu op = is_remainder ? Alu::kMod : Alu::kDiv;
  const auto known = values_.constant(inst.args[1]);
  if (!known || *known == 0) {
    const Label by_zero = failures_.fault(inst, record::Fault::kDivideByZero, e_.imm(0));
    if (known)
      e_.jump(by_zero);
    else
      e_.jump_if_imm(Cond::kEq, values_.unrelated_copy(inst.args[1]), 0, by_zero);
    if (known) return values_.define(inst, e_.imm(0));
  }
  const Reg dst = values_.copy_of(inst.args[0]);
  if (!is_signed) {
    // An immediate divisor is sign-extended by the machine, as is the value.
    values_.alu_value(op, dst, inst.args[1]);
    return values_.define(inst, dst);
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
    const Reg divisor = values_.copy_of(inst.args[1]);
    const Reg divisor_sign = sign_of(divisor);
    apply(divisor, divisor_sign);
    e_.alu(op, dst, divisor);
    if (!is_remainder) e_.alu(Alu::kXor, sign, divisor_sign);
  }
  apply(dst, sign);
  values_.define(inst, dst);
}

void Integers::compare(const ir::Inst& inst) {
  if (f_.analysis.fused_compare[inst.result]) return;
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
  values_.define(inst, bit);
}

// The result of a comparison, 0 or 1, without a branch: verifiers before 6.8
// take a 0 and a 1 on the stack for different, and would go through the rest of
// the program for both.
Reg Integers::is_equal(ir::ValueId a, ir::ValueId b) {
  const Reg bits = values_.copy_of(a), result = e_.reg();
  values_.alu_value(Alu::kXor, bits, b);
  // Zero alone is not negative, and nor is what is opposite to it.
  e_.mov(result, bits);
  e_.neg(result);
  e_.alu(Alu::kOr, result, bits);
  e_.alu_imm(Alu::kRsh, result, 63);
  e_.alu_imm(Alu::kXor, result, 1);
  return result;
}

Reg Integers::is_less(ir::ValueId a, ir::ValueId b, bool is_signed) {
  const Reg difference = values_.copy_of(a);
  values_.alu_value(Alu::kSub, difference, b);
  const auto is_small = [&](ir::ValueId id) {
    return f_.type_of(id).size < 8 && (is_signed || !f_.type_of(id).is_signed);
  };
  if (is_small(a) && is_small(b)) {  // then it fits 64 bits
    e_.alu_imm(Alu::kRsh, difference, 63);
    return difference;
  }
  // Where the signs are the same, that of the difference tells; otherwise the
  // negative one is less, or as an unsigned number more.
  const Reg signs = values_.copy_of(a), other = values_.copy_of(is_signed ? a : b);
  values_.alu_value(Alu::kXor, signs, b);
  e_.alu(Alu::kXor, other, difference);
  e_.alu(Alu::kAnd, other, signs);
  e_.alu(Alu::kXor, other, difference);
  e_.alu_imm(Alu::kRsh, other, 63);
  return other;
}

void Integers::branch_on(ir::ValueId condition, Label to, bool when) {
  if (f_.analysis.fused_compare[condition])
    return compare_jump(*f_.analysis.def[condition], to, when);
  if (const auto known = values_.constant(condition)) {
    if ((*known != 0) == when) e_.jump(to);
    return;
  }
  const Cond cond = when ? Cond::kNe : Cond::kEq;
  if (values_.outlives_comparison(condition)) {
    return e_.jump_if_imm(cond, values_.complement(values_.reg(condition)), -1, to);
  }
  e_.jump_if_imm(cond, values_.reg(condition), 0, to);
}

void Integers::compare_jump(const ir::Inst& inst, Label to, bool when) {
  Cond cond = condition_of(inst.op);
  if (!when) cond = *inverse(cond);  // comparisons never are kSet
  ir::ValueId a = inst.args[0], b = inst.args[1];
  if (values_.constant(a) && !values_.constant(b)) {
    std::swap(a, b);
    cond = mirrored(cond);
  }
  const auto known = values_.constant(b);
  if (values_.outlives_comparison(a) || values_.outlives_comparison(b)) {
    cond = mirrored(cond);
    if (known && fits_s32(*known)) {
      return e_.jump_if_imm(cond, values_.complement(values_.reg(a)),
                            static_cast<std::int32_t>(~*known), to);
    }
    return e_.jump_if(cond, values_.complement(values_.reg(a)), values_.complement(values_.reg(b)),
                      to);
  }
  if (known && fits_s32(*known)) {
    e_.jump_if_imm(cond, values_.reg(a), static_cast<std::int32_t>(*known), to);
  } else {
    e_.jump_if(cond, values_.reg(a), values_.reg(b), to);
  }
}

}  // namespace dt::bpf

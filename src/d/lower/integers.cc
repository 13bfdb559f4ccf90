// A value of an integer type is in a 64-bit register of the IR, extended by the sign if its type is
// signed. C's arithmetic in 32 bits is 64-bit arithmetic followed by an extension; the extension is
// left out where nothing can tell the difference.

#include "d/lower/integers.h"

#include "d/lower/conditions.h"
#include "d/lower/string_subroutines.h"
#include "d/meaning/type_meaning.h"
#include "d/syntax/ast.h"
#include "ir/builder.h"
#include "support/check.h"

namespace dt::d::lowering {

namespace {

bool fits(std::int64_t value, const ir::Type& type) {
  if (type.size == 8) {
    return true;
  }
  const std::int64_t span = std::int64_t{1} << (type.size * 8 - (type.is_signed ? 1 : 0));
  return value < span && value >= (type.is_signed ? -span : 0);
}

}  // namespace

using ir::ValueId;

ValueId Integers::constant(const Expr* e) {
  ir::Type type = rules_.ir_type(e->type);
  const auto number = static_cast<std::int64_t>(e->int_value);
  if (!fits(number, type)) {
    type = ir::Type::integer(8, type.is_signed);
  }
  return b_->constant(number, type);
}

ValueId Integers::unary(const Expr* e) {
  const Expr* operand = e->args[0];
  switch (e->op) {
    case Op::kNot: {
      const ValueId is_true = conditions_.truth(operand);
      return b_->binary(ir::Op::kEq, is_true, b_->constant(0, ir::Type::s32()), ir::Type::s32());
    }
    case Op::kPlus:
      return value(operand);
    default: {
      const ValueId v = value(operand);
      b_->at(e->span);
      return b_->unary(e->op == Op::kNeg ? ir::Op::kNeg : ir::Op::kNot, v,
                       ir::Type::integer(8, rules_.is_signed(e->type)));
    }
  }
}

ValueId Integers::binary(const Expr* e) {
  switch (e->op) {
    case Op::kEq:
    case Op::kNe:
    case Op::kLt:
    case Op::kLe:
    case Op::kGt:
    case Op::kGe:
      return comparison(e);
    case Op::kLogAnd:
    case Op::kLogOr:
    case Op::kLogXor:
      return conditions_.logical(e);
    default:
      break;
  }
  const ValueId a = value(e->args[0]);
  const ValueId b = value(e->args[1]);
  b_->at(e->span);
  if (is_address(e->args[0]) || is_address(e->args[1])) {
    return pointer_offset(e, a, b);
  }
  return arithmetic(e->op, a, b, e->type);
}

// A string is the address of its characters where it is computed with.
bool Integers::is_address(const Expr* e) const {
  return rules_.is_pointer(e->type) || rules_.is_string(e->type);
}

ValueId Integers::pointer_offset(const Expr* e, ValueId a, ValueId b) {
  const bool left = is_address(e->args[0]);
  const bool right = is_address(e->args[1]);
  const types::TypeId pointer = e->args[left ? 0 : 1]->type;
  const std::uint64_t size = rules_.is_string(pointer) ? 1 : rules_.size(rules_.pointee(pointer));
  if (left && right) {
    const ValueId bytes = b_->binary(ir::Op::kSub, a, b, ir::Type::s64());
    if (size <= 1) {
      return bytes;
    }
    return b_->binary(ir::Op::kDivS, bytes, b_->constant(static_cast<std::int64_t>(size)),
                      ir::Type::s64());
  }
  if (left) {
    return b_->binary(e->op == Op::kAdd ? ir::Op::kAdd : ir::Op::kSub, a, scale(b, size),
                      ir::Type::u64());
  }
  return b_->binary(ir::Op::kAdd, scale(a, size), b, ir::Type::u64());
}

ValueId Integers::arithmetic(Op op, ValueId a, ValueId b, types::TypeId result) {
  const bool is_signed = rules_.is_signed(result);
  ir::Op to = ir::Op::kAdd;
  switch (op) {
    case Op::kAdd:
      to = ir::Op::kAdd;
      break;
    case Op::kSub:
      to = ir::Op::kSub;
      break;
    case Op::kMul:
      to = ir::Op::kMul;
      break;
    case Op::kDiv:
      to = is_signed ? ir::Op::kDivS : ir::Op::kDivU;
      break;
    case Op::kMod:
      to = is_signed ? ir::Op::kRemS : ir::Op::kRemU;
      break;
    case Op::kShl:
      to = ir::Op::kShl;
      break;
    case Op::kShr:
      to = is_signed ? ir::Op::kShrS : ir::Op::kShrU;
      break;
    case Op::kAnd:
      to = ir::Op::kAnd;
      break;
    case Op::kOr:
      to = ir::Op::kOr;
      break;
    case Op::kXor:
      to = ir::Op::kXor;
      break;
    default:
      DT_UNREACHABLE("operator {}", op_text(op));
  }
  return b_->binary(to, a, b, ir::Type::integer(8, is_signed));
}

ValueId Integers::comparison(const Expr* e) {
  const Expr* left = e->args[0];
  const Expr* right = e->args[1];
  const bool strings = rules_.is_string(left->type) || rules_.is_string(right->type) ||
                       (rules_.is_char_array(left->type) && rules_.is_char_array(right->type));
  if (e->op == Op::kEq || e->op == Op::kNe) {
    if (const auto result = string_subroutines_.null_test(e)) {
      return *result;
    }
  }
  ValueId a = 0;
  ValueId b = 0;
  bool is_signed = true;
  if (strings) {
    const ValueId x = string(left);
    const ValueId y = string(right);
    b_->at(e->span);
    a = operation(ir::Op::kStrCmp, ir::Type::s32(), {x, y});
    b = b_->constant(0, ir::Type::s32());
  } else {
    a = value(left);
    b = value(right);
    b_->at(e->span);
    is_signed = rules_.is_integer(left->type) && rules_.is_integer(right->type) &&
                rules_.is_signed(rules_.usual(left->type, right->type));
  }
  const ir::Op less = is_signed ? ir::Op::kLtS : ir::Op::kLtU;
  const ir::Op less_equal = is_signed ? ir::Op::kLeS : ir::Op::kLeU;
  switch (e->op) {
    case Op::kEq:
      return b_->binary(ir::Op::kEq, a, b, ir::Type::s32());
    case Op::kNe:
      return b_->binary(ir::Op::kNe, a, b, ir::Type::s32());
    case Op::kLt:
      return b_->binary(less, a, b, ir::Type::s32());
    case Op::kLe:
      return b_->binary(less_equal, a, b, ir::Type::s32());
    case Op::kGt:
      return b_->binary(less, b, a, ir::Type::s32());
    default:
      return b_->binary(less_equal, b, a, ir::Type::s32());
  }
}

ValueId Integers::cast(const Expr* e) {
  const Expr* operand = e->args[0];
  if (rules_.is_void(e->type)) {
    effect(operand);
    return b_->constant(0);
  }
  const ValueId v = value(operand);
  b_->at(e->span);
  return convert_to(v, e->type);
}

ValueId Integers::swap_bytes(ValueId v, std::uint32_t size) {
  ValueId result = ir::kNone;
  for (std::uint32_t i = 0; i < size; ++i) {
    ValueId byte = v;
    if (i > 0) {
      byte = b_->binary(ir::Op::kShrU, byte, b_->constant(8 * i), ir::Type::u64());
    }
    byte = b_->binary(ir::Op::kAnd, byte, b_->constant(0xff), ir::Type::u64());
    if (i + 1 < size) {
      byte = b_->binary(ir::Op::kShl, byte, b_->constant(8 * (size - 1 - i)), ir::Type::u64());
    }
    result = i == 0 ? byte : b_->binary(ir::Op::kOr, result, byte, ir::Type::u64());
  }
  return result;
}

// What compound assignments and ++ add to or combine with.
ValueId Integers::combine(const Expr* e, ValueId old, ValueId operand) {
  const Expr* target = e->args[0];
  const types::TypeId type = rules_.is_pointer(target->type) ? target->type
                             : e->op == Op::kShl || e->op == Op::kShr
                                 ? rules_.promote(target->type)
                                 : rules_.usual(target->type, e->args[1]->type);
  return arithmetic(e->op, old, operand, type);
}

}  // namespace dt::d::lowering

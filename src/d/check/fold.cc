// Folding of constant expressions. Arithmetic is 64-bit, as at run time; only
// a cast or a store to a narrower type truncates.

#include "d/check/fold.h"

namespace dt::d {
namespace {

std::int64_t as_signed(std::uint64_t value) { return static_cast<std::int64_t>(value); }

std::uint64_t divide(std::uint64_t a, std::uint64_t b, bool is_signed, bool remainder) {
  if (!is_signed) {
    return remainder ? a % b : a / b;
  }
  if (as_signed(b) == -1) {  // INT64_MIN / -1 wraps
    return remainder ? 0 : 0 - a;
  }
  return static_cast<std::uint64_t>(remainder ? as_signed(a) % as_signed(b)
                                              : as_signed(a) / as_signed(b));
}

bool compare(Op op, std::uint64_t a, std::uint64_t b, bool is_signed) {
  const bool less = is_signed ? as_signed(a) < as_signed(b) : a < b;
  switch (op) {
    case Op::kEq:
      return a == b;
    case Op::kNe:
      return a != b;
    case Op::kLt:
      return less;
    case Op::kLe:
      return less || a == b;
    case Op::kGt:
      return !less && a != b;
    default:
      return !less;
  }
}

std::uint64_t extend(std::uint64_t value, const ir::Type& type) {
  if (type.size == 8) {
    return value;
  }
  const std::uint32_t bits = type.size * 8;
  const std::uint64_t mask = (std::uint64_t{1} << bits) - 1;
  const std::uint64_t low = value & mask;
  const bool negative = type.is_signed && ((low >> (bits - 1)) & 1) != 0;
  return negative ? low | ~mask : low;
}

}  // namespace

void set_constant(Expr* e, std::uint64_t value, types::TypeId type, const TypeRules& rules) {
  e->type = type;
  e->is_constant = true;
  e->int_value = value;
  if (e->kind == ExprKind::kCast) {
    e->int_value =
        rules.at(type).is_bool ? (value != 0 ? 1 : 0) : extend(value, rules.ir_type(type));
  }
}

void fold_unary(Expr* e, const TypeRules& rules) {
  const Expr* operand = e->args[0];
  if (e->type == types::TypeId{} || !operand->is_constant || !rules.is_integer(operand->type)) {
    return;
  }
  const std::uint64_t value = operand->int_value;
  switch (e->op) {
    case Op::kNeg:  // of an unsigned constant: another one of its type
      set_constant(e,
                   rules.is_signed(e->type) ? 0 - value : extend(0 - value, rules.ir_type(e->type)),
                   e->type, rules);
      return;
    case Op::kPlus:
      set_constant(e, value, e->type, rules);
      return;
    case Op::kBitNot:
      set_constant(e, ~value, e->type, rules);
      return;
    case Op::kNot:
      set_constant(e, value == 0 ? 1 : 0, e->type, rules);
      return;
    default:
      return;
  }
}

void fold_binary(Expr* e, const TypeRules& rules) {
  const Expr* left = e->args[0];
  const Expr* right = e->args[1];
  if (!left->is_constant || !right->is_constant || !rules.is_integer(left->type) ||
      !rules.is_integer(right->type)) {
    return;
  }
  const std::uint64_t a = left->int_value;
  const std::uint64_t b = right->int_value;
  const bool is_signed = rules.is_signed(rules.usual(left->type, right->type));
  std::uint64_t value = 0;
  switch (e->op) {
    case Op::kAdd:
      value = a + b;
      break;
    case Op::kSub:
      value = a - b;
      break;
    case Op::kMul:
      value = a * b;
      break;
    case Op::kDiv:
      value = divide(a, b, is_signed, false);
      break;
    case Op::kMod:
      value = divide(a, b, is_signed, true);
      break;
    case Op::kShl:
      value = a << (b & 63);
      break;
    case Op::kShr:
      value = rules.is_signed(e->type) ? static_cast<std::uint64_t>(as_signed(a) >> (b & 63))
                                       : a >> (b & 63);
      break;
    case Op::kAnd:
      value = a & b;
      break;
    case Op::kOr:
      value = a | b;
      break;
    case Op::kXor:
      value = a ^ b;
      break;
    case Op::kLogAnd:
      value = a != 0 && b != 0 ? 1 : 0;
      break;
    case Op::kLogOr:
      value = a != 0 || b != 0 ? 1 : 0;
      break;
    case Op::kLogXor:
      value = (a != 0) != (b != 0) ? 1 : 0;
      break;
    default:
      value = compare(e->op, a, b, is_signed) ? 1 : 0;
      break;
  }
  set_constant(e, value, e->type, rules);
}

}  // namespace dt::d

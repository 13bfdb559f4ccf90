// Integer operations on 64-bit registers, wrapping.

#include "ir/evaluate.h"

#include "ir/op_info.h"
#include "support/check.h"

namespace dt::ir {

namespace {

std::int64_t as_signed(std::uint64_t value) { return static_cast<std::int64_t>(value); }

// Division truncates towards zero; INT64_MIN / -1 wraps to itself, remainder 0.
std::int64_t divide(Op op, std::int64_t a, std::int64_t b) {
  const auto ua = static_cast<std::uint64_t>(a);
  const auto ub = static_cast<std::uint64_t>(b);
  if (op == Op::kDivU) return as_signed(ua / ub);
  if (op == Op::kRemU) return as_signed(ua % ub);
  if (b == -1) return op == Op::kDivS ? as_signed(0 - ua) : 0;
  return op == Op::kDivS ? a / b : a % b;
}

}  // namespace

bool is_integer_op(Op op) { return has_trait(op, OpInfo::kInteger); }
bool is_comparison(Op op) { return has_trait(op, OpInfo::kCompares); }
bool is_division(Op op) { return has_trait(op, OpInfo::kDivides); }
bool is_commutative(Op op) { return has_trait(op, OpInfo::kCommutes); }

std::int64_t extend(const Type& type, std::int64_t value) {
  const auto bits = static_cast<std::uint64_t>(value);
  switch (type.size) {
    case 1:
      return type.is_signed ? static_cast<std::int8_t>(bits) : static_cast<std::uint8_t>(bits);
    case 2:
      return type.is_signed ? static_cast<std::int16_t>(bits) : static_cast<std::uint16_t>(bits);
    case 4:
      return type.is_signed ? static_cast<std::int32_t>(bits)
                            : static_cast<std::int64_t>(static_cast<std::uint32_t>(bits));
    default:
      return value;
  }
}

std::optional<std::int64_t> evaluate(Op op, const Type& type, std::int64_t a, std::int64_t b) {
  const auto ua = static_cast<std::uint64_t>(a);
  const auto ub = static_cast<std::uint64_t>(b);
  const unsigned shift = static_cast<unsigned>(ub & 63);
  switch (op) {
    case Op::kAdd:
      return as_signed(ua + ub);
    case Op::kSub:
      return as_signed(ua - ub);
    case Op::kMul:
      return as_signed(ua * ub);
    case Op::kAnd:
      return a & b;
    case Op::kOr:
      return a | b;
    case Op::kXor:
      return a ^ b;
    case Op::kShl:
      return as_signed(ua << shift);
    case Op::kShrS:
      return a >> shift;
    case Op::kShrU:
      return as_signed(ua >> shift);
    case Op::kDivS:
    case Op::kDivU:
    case Op::kRemS:
    case Op::kRemU:
      if (b == 0) return std::nullopt;
      return divide(op, a, b);
    case Op::kNeg:
      return as_signed(0 - ua);
    case Op::kNot:
      return ~a;
    case Op::kExtend:
      return extend(type, a);
    case Op::kEq:
      return a == b;
    case Op::kNe:
      return a != b;
    case Op::kLtS:
      return a < b;
    case Op::kLeS:
      return a <= b;
    case Op::kLtU:
      return ua < ub;
    case Op::kLeU:
      return ua <= ub;
    default:
      DT_UNREACHABLE("{} is not an integer operation", op_name(op));
  }
}

}  // namespace dt::ir

// See operators.h.

#include "stap/events/operators.h"

namespace dt::stap {
namespace {

struct Arithmetic {
  std::string_view text;
  ir::Op op;
};
constexpr Arithmetic kArithmetic[] = {
    {"+", ir::Op::kAdd},  {"-", ir::Op::kSub},   {"*", ir::Op::kMul},
    {"&", ir::Op::kAnd},  {"|", ir::Op::kOr},    {"^", ir::Op::kXor},
    {"<<", ir::Op::kShl}, {">>", ir::Op::kShrS}, {">>>", ir::Op::kShrU}};

}  // namespace

std::optional<ir::Op> arithmetic_op(std::string_view text) {
  for (const Arithmetic& one : kArithmetic) {
    if (one.text == text) return one.op;
  }
  return std::nullopt;
}

}  // namespace dt::stap

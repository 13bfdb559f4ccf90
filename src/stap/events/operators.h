#pragma once
// The operators of the language that BPF programs compute as they do, whatever the operands are.

#include <optional>
#include <string_view>

#include "ir/function.h"

namespace dt::stap {

// + - * & | ^ << >> >>>; nullopt: another one.
inline std::optional<ir::Op> arithmetic_op(std::string_view text) {
  struct Arithmetic {
    std::string_view text;
    ir::Op op;
  };
  constexpr Arithmetic kArithmetic[] = {
      {"+", ir::Op::kAdd},  {"-", ir::Op::kSub},   {"*", ir::Op::kMul},
      {"&", ir::Op::kAnd},  {"|", ir::Op::kOr},    {"^", ir::Op::kXor},
      {"<<", ir::Op::kShl}, {">>", ir::Op::kShrS}, {">>>", ir::Op::kShrU}};
  for (const Arithmetic& one : kArithmetic) {
    if (one.text == text) return one.op;
  }
  return std::nullopt;
}

}  // namespace dt::stap

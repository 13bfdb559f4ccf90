#pragma once
// What integer operations compute: the one definition that constant folding and
// the interpreter share.

#include <cstdint>
#include <optional>

#include "ir/ir.h"

namespace dt::ir {

// True for the operations that evaluate() knows.
bool is_integer_op(Op op);
bool is_comparison(Op op);
bool is_commutative(Op op);
bool is_division(Op op);

// The result of an integer operation; `b` is ignored by unary ones. nullopt is
// a division by zero, which faults.
std::optional<std::int64_t> evaluate(Op op, const Type& type, std::int64_t a, std::int64_t b);

// `value` truncated to an integer type and extended again.
std::int64_t extend(const Type& type, std::int64_t value);

}  // namespace dt::ir

#pragma once
// The operators of the language that BPF programs compute as they do, whatever the operands are.

#include <optional>
#include <string_view>

#include "ir/function.h"

namespace dt::stap {

// + - * & | ^ << >> >>>; nullopt: another one.
std::optional<ir::Op> arithmetic_op(std::string_view text);

}  // namespace dt::stap

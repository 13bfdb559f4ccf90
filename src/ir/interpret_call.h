#pragma once
// What the interpreter does for kCall.

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "ir/ir.h"
#include "ir/string_subroutines.h"
#include "record/wire.h"

namespace dt::ir {

struct Operand {
  std::int64_t integer = 0;
  std::string_view text;
};

struct CallResult {
  std::int64_t integer = 0;
  std::string text;  // not yet cut to its capacity
};

// A fault, or none and the result. For all but memstr, which reads memory.
std::optional<record::Fault> interpret_call(Subroutine subroutine,
                                            std::span<const Operand> operands, Tokens& tokens,
                                            CallResult& result);

}  // namespace dt::ir

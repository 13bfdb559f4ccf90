#pragma once
// Reads the text form of the IR. Layouts are placed and value words computed;
// the result is well-formed only if ir/verify.h says so.

#include <string_view>

#include "ir/ir.h"
#include "support/result.h"

namespace dt::ir {

// An error's text is "line N: ...".
Result<Program> parse(std::string_view text);

}  // namespace dt::ir

#pragma once
// Which programs change the system that they trace, and need -w.

#include <optional>

#include "ir/ir.h"

namespace dt::ir {

// The place of the first destructive action; nullopt when there is none.
std::optional<Span> find_destructive(const Program& program);

}  // namespace dt::ir

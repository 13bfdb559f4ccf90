#pragma once
// What speculate() and commit() allow beside them in one clause.

#include <vector>

#include "d/syntax/ast.h"
#include "support/diagnostics.h"

namespace dt::d {

// Reports each action of the clause that may not follow those before it.
void check_action_order(const std::vector<Stmt*>& body, Diagnostics& diagnostics);

}  // namespace dt::d

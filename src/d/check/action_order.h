#pragma once
// What speculate() and commit() allow beside them in one clause, and what no clause can do.

#include <vector>

#include "d/meaning/function_table.h"
#include "d/syntax/ast.h"
#include "support/diagnostics.h"

namespace dt::d {

// Reports each action of the clause that may not follow those before it.
void check_action_order(const std::vector<Stmt*>& body, Diagnostics& diagnostics);

// Whether no BPF program can do so.
bool is_impossible(Fn fn);
// Reports each such action.
void refuse_impossible(const std::vector<Stmt*>& body, Diagnostics& diagnostics);

}  // namespace dt::d

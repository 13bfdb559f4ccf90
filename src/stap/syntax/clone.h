#pragma once
// Copies of trees: an alias's body stands before the body of each probe that uses it.

#include "stap/syntax/tree.h"

namespace dt::stap {

StmtPtr clone(const Stmt& stmt);
ExprPtr clone(const Expr& expr);

}  // namespace dt::stap

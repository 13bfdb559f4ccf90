#pragma once
// Variables as a script writes them: x, self->x, this->x.

#include <string>

#include "d/syntax/ast.h"
#include "ir/ir.h"

namespace dt::d {

// "self->", "this->" or "".
const char* prefix_of(ir::Scope scope);
// The name of a variable node, with its prefix.
std::string shown(const Expr* e, ir::Scope scope);
Symbol symbol_of(ir::Scope scope);
bool is_variable_node(const Expr* e);
// The scope of a variable node.
ir::Scope scope_of(const Expr* e);

}  // namespace dt::d

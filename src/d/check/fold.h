#pragma once
// Folding of constant expressions, whose operands have been checked.

#include <cstdint>

#include "d/meaning/type_meaning.h"
#include "d/syntax/ast.h"

namespace dt::d {

// Makes e a constant of this type; a cast truncates the value to it.
void set_constant(Expr* e, std::uint64_t value, types::TypeId type, const TypeRules& rules);
// Make e a constant when its operands are; e keeps its type.
void fold_unary(Expr* e, const TypeRules& rules);
void fold_binary(Expr* e, const TypeRules& rules);

}  // namespace dt::d

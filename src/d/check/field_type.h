#pragma once
// What an expression is on the wire as an argument or a key.

#include "record/field.h"

namespace dt::front {
struct World;
}

namespace dt::d {

class TypeRules;
struct Expr;

// All but the capacity of a string, which the lowering computes.
record::FieldType field_type(const Expr* e, const front::World& world, const TypeRules& rules);

}  // namespace dt::d

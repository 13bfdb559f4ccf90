#pragma once
// What an expression is on the wire as an argument or a key.

#include <cstdint>

#include "record/field.h"
#include "types/type_id.h"

namespace dt::d {

struct World;
class TypeRules;
struct Expr;

// A string, or a part of a probe's name, which is one to the script.
bool is_text_field(record::FieldKind kind);

// All but the capacity of a string, which the lowering computes.
record::FieldType field_type(const Expr* e, const World& world, const TypeRules& rules);

// What stack(), usym() and similar actions give: a type that a variable can have, and that says how
// a value of it is recorded.
types::TypeId recorded_type(const Expr* call, World& world);

}  // namespace dt::d

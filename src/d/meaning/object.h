#pragma once
// Objects: structures, unions, arrays, floating-point numbers, stacks and
// symbols of programs, which do not fit a register. An object is in a variable, in the memory of
// the kernel or of a process, or is the value of an expression.

#include <cstdint>
#include <optional>

#include "d/meaning/type_meaning.h"
#include "d/syntax/ast.h"

namespace dt::d {

enum class Home : std::uint8_t { kVariable, kMemory, kValue };

// A use of an inline or of a translator: `inlined` stands for it.
bool is_expanded(const Expr* e);

// What a translated thing is made of, seen through what hands it on: the operand
// of its xlate, or, in a body that nothing has been given to, the parameter.
const Expr* origin_of(const Expr* e);
bool is_translated(const Expr* e);

// What an lvalue is a part of: x of x.a[3].b, *p of (*p).a, p->a of p->a.b.
// `e` has been checked.
const Expr* whole_of(const Expr* e, const TypeRules& rules);
Home home_of(const Expr* e, const TypeRules& rules);

// The variable that an object is, or is a part of; nullptr when it is in none.
const Expr* variable_of(const Expr* e, const TypeRules& rules);

// Held as bytes: struct, union, array, float, a stack, a symbol of a program.
bool is_object(types::TypeId type, const TypeRules& rules);

// Whether one may be assigned to the other: of one type but for qualifiers.
bool same_object(types::TypeId a, types::TypeId b, const TypeRules& rules);

// The bytes that hold a bit-field, and where it is in them.
struct BitField {
  std::uint32_t size = 0;    // of the unit: 1, 2, 4 or 8 bytes
  std::uint32_t offset = 0;  // of the unit from the start of the structure
  std::uint32_t shift = 0;
  std::uint32_t bit_size = 0;
};
// The aligned unit of the field's type, or whatever else within the structure
// holds all of a packed field; nullopt when nothing does.
std::optional<BitField> place_bit_field(const types::Catalog::Found& found, std::uint32_t type_size,
                                        std::uint32_t outer_size);

}  // namespace dt::d

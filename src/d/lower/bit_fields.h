#pragma once
// Bit-fields: the unit of memory or of a value that holds one, and what is in it.

#include <optional>

#include "d/lower/part.h"
#include "d/meaning/object.h"

namespace dt::d::lowering {

class BitFields : Part {
 public:
  explicit BitFields(Context& context) : Part(context) {}

  // The bit-field that a member is; nothing for another expression.
  std::optional<BitField> of(const Expr* e) const;
  // Where the unit of a bit-field begins.
  ValueId unit_address(const Expr* e, const BitField& field);
  // The unit with the field's bits taken from the value, and the others as they were.
  ValueId set(const BitField& field, ValueId unit, ValueId value);
  // The field's value, from the unit that holds it.
  ValueId cut(const Expr* e, const BitField& field, ValueId unit);
};

}  // namespace dt::d::lowering

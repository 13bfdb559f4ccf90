#pragma once
// Stores by pointer.

#include <cstdint>

#include "d/lower/part.h"

namespace dt::d::lowering {

class BitFields;
class Integers;
class StringValues;

class MemoryStores : Part {
 public:
  MemoryStores(Context& context, BitFields& bit_fields, Integers& integers,
               StringValues& string_values)
      : Part(context),
        bit_fields_(bit_fields),
        integers_(integers),
        string_values_(string_values) {}

  // *p = value, *p += value: gives what it then holds.
  ValueId assign(const Expr* e);
  // The same for a structure, an array or a string; gives its address.
  ValueId assign_object(const Expr* e);
  // ++ and --.
  ValueId increment(const Expr* e);
  // The same of a scalar at the address `place`.
  ValueId assign_at(const Expr* e, ValueId place);
  ValueId increment_at(const Expr* e, ValueId place);
  void store_bytes(ValueId place, std::uint32_t size, ValueId value);
  void store_memory(ValueId place, types::TypeId type, ValueId value);

 private:
  // The address of a scalar in memory: of its unit, for a bit-field.
  ValueId place_of(const Expr* target);
  ValueId load_place(const Expr* e, ValueId place);
  ValueId store_place(const Expr* e, ValueId place, ValueId value);

  BitFields& bit_fields_;
  Integers& integers_;
  StringValues& string_values_;
};

}  // namespace dt::d::lowering

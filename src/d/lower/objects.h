#pragma once
// Objects: structures, arrays and floating-point numbers as bytes, and their
// members and elements where they are parts of a variable or of a value.
// Objects in memory are memory.h's.

#include <cstdint>
#include <optional>
#include <vector>

#include "d/lower/upper_part.h"
#include "d/meaning/object.h"

namespace dt::d::lowering {

class RecordedValues;

class Objects : UpperPart {
 public:
  // An object that is in a variable, or a value, or a part of one.
  struct Object {
    const Expr* whole = nullptr;
    std::vector<ValueId> keys;           // of a variable's element
    ValueId bytes = ir::kNone;           // the whole, when it is in no variable
    std::uint32_t fixed = 0;             // bytes from its start
    ValueId moved = ir::kNone;           // and those that indexes computed
    std::optional<BitField> field = {};  // `fixed` is that of its unit
  };

  Objects(const Core& core, RecordedValues& recorded) : UpperPart(core), recorded_(recorded) {}

  // Where an object is.
  Object object(const Expr* e);
  ValueId load(const Object& from, ir::Type type);
  void store(const Object& to, ir::Type type, ValueId value);
  // A scalar of an object that is not in memory.
  ValueId load_part(const Expr* e);
  // The bytes of an object, wherever it is.
  ValueId bytes_of(const Expr* e);
  // x = value for an object x, whole or part; gives the bytes that x then holds.
  ValueId assign_object(const Expr* e);
  // The string that a part of type `string` is.
  ValueId string_part(const Expr* e);
  // x.a = value, x.a += value: gives what x.a then holds.
  ValueId assign_part(const Expr* e);
  ValueId increment_part(const Expr* e);
  // An index that is out of range is a fault, with the index as its address.
  void check_index(const Expr* e, ValueId index, std::uint32_t count);

 private:
  // Where a part begins in its whole, in bytes; a computed index adds to `moved`.
  void part_offset(const Expr* e, Object& out);
  ValueId built(const Expr* e);
  ValueId load_scalar(const Expr* e, const Object& from);
  ValueId store_scalar(const Expr* e, const Object& to, ValueId value);

  RecordedValues& recorded_;
};

}  // namespace dt::d::lowering

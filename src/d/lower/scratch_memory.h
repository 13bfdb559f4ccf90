#pragma once
// Scratch memory: alloca(), copyin() and similar subroutines.

#include "d/lower/part.h"

namespace dt::d::lowering {

class Capacities;
class MemoryStores;
class Objects;
class StringValues;

class ScratchMemory : Part {
 public:
  ScratchMemory(Context& context, Capacities& capacities, StringValues& string_values,
                Objects& objects, MemoryStores& memory_stores)
      : Part(context),
        capacities_(capacities),
        string_values_(string_values),
        objects_(objects),
        memory_stores_(memory_stores) {}

  ValueId subroutine(const Expr* e);
  // The address of a copy of a string, which is read; of the bytes of an object.
  ValueId copy_of_text(const Expr* e);
  ValueId copy_of(const Expr* e);
  // A pointer to it: for a string and an array in a variable, to a copy of it.
  ValueId pointer(const Expr* e);
  // `size` bytes, as zeros if `cleared`.
  ValueId allocate(ValueId size, bool cleared);

 private:
  // Copies `size` bytes from what the expression `from`, lowered to `source`, points to.
  void copy(const Expr* from, ValueId source, ValueId place, ValueId size);
  // What was written to the copy that pointer() made of an array in a variable.
  void take_back(const Expr* e, ValueId place);

  Capacities& capacities_;
  StringValues& string_values_;
  Objects& objects_;
  MemoryStores& memory_stores_;
};

}  // namespace dt::d::lowering

#pragma once
// Scratch memory: alloca(), copyin() and similar subroutines.

#include "d/lower/upper_part.h"

namespace dt::d::lowering {

class Objects;

class ScratchMemory : UpperPart {
 public:
  ScratchMemory(const Core& core, Objects& objects) : UpperPart(core), objects_(objects) {}

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

  Objects& objects_;
};

}  // namespace dt::d::lowering

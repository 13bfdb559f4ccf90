#pragma once
// Addresses: of what is in memory, and of strings and objects that are not: a variable has one in
// the kernel, and the value of an expression is copied to scratch memory.

#include "d/lower/upper_part.h"

namespace dt::d::lowering {

class Memory;
class Objects;
class ScratchMemory;

class Addresses : UpperPart {
 public:
  Addresses(const Core& core, Objects& objects, Memory& memory, ScratchMemory& scratch)
      : UpperPart(core), objects_(objects), memory_(memory), scratch_(scratch) {}

  // The address of an lvalue, an array or a structure; the value of a pointer.
  ValueId of(const Expr* e);
  // The address of the characters of a string.
  ValueId of_text(const Expr* e);

 private:
  ValueId in_variable(const Expr* e);

  Objects& objects_;
  Memory& memory_;
  ScratchMemory& scratch_;
};

}  // namespace dt::d::lowering

#pragma once
// Memory of the kernel and of the traced process: addresses of lvalues, loads.

#include "d/lower/upper_part.h"

namespace dt::d::lowering {

class Objects;

class Memory : UpperPart {
 public:
  Memory(const Core& core, Objects& objects) : UpperPart(core), objects_(objects) {}

  ValueId address(const Expr* e);
  // A scalar lvalue, or the address that an array decays to.
  ValueId load(const Expr* e);

 private:
  ValueId symbol_address(const Expr* e);
  ValueId load_bit_field(const Expr* e, const BitField& field);

  Objects& objects_;
};

}  // namespace dt::d::lowering

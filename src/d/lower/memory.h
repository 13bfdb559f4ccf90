#pragma once
// Memory of the kernel and of the traced process: addresses of lvalues, loads.

#include "d/lower/part.h"

namespace dt::d::lowering {

class BitFields;
class Objects;
class Parameters;

class Memory : Part {
 public:
  Memory(Context& context, Parameters& parameters, Objects& objects, BitFields& bit_fields)
      : Part(context), parameters_(parameters), objects_(objects), bit_fields_(bit_fields) {}

  ValueId address(const Expr* e);
  // A scalar lvalue, or the address that an array decays to.
  ValueId load(const Expr* e);

 private:
  ValueId symbol_address(const Expr* e);
  ValueId load_bit_field(const Expr* e, const BitField& field);

  Parameters& parameters_;
  Objects& objects_;
  BitFields& bit_fields_;
};

}  // namespace dt::d::lowering

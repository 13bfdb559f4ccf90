#pragma once
// Assignments, ++ and --.

#include "d/lower/upper_part.h"

namespace dt::d::lowering {

class Objects;

class Assignments : UpperPart {
 public:
  Assignments(const Core& core, Objects& objects) : UpperPart(core), objects_(objects) {}

  // `wanted`: the value is used.
  ValueId assign(const Expr* e, bool wanted);
  ValueId increment(const Expr* e, bool wanted);

 private:
  ValueId change_character(const Expr* e);

  Objects& objects_;
};

}  // namespace dt::d::lowering

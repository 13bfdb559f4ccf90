#pragma once
// Assignments, ++ and --.

#include "d/lower/part.h"

namespace dt::d::lowering {

class Integers;
class MemoryStores;
class Objects;
class StringValues;
class Variables;

class Assignments : Part {
 public:
  Assignments(Context& context, Variables& variables, Objects& objects, MemoryStores& memory_stores,
              StringValues& string_values, Integers& integers)
      : Part(context),
        variables_(variables),
        objects_(objects),
        memory_stores_(memory_stores),
        string_values_(string_values),
        integers_(integers) {}

  // `wanted`: the value is used.
  ValueId assign(const Expr* e, bool wanted);
  ValueId increment(const Expr* e, bool wanted);

 private:
  ValueId change_character(const Expr* e);

  Variables& variables_;
  Objects& objects_;
  MemoryStores& memory_stores_;
  StringValues& string_values_;
  Integers& integers_;
};

}  // namespace dt::d::lowering

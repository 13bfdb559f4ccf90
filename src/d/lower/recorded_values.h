#pragma once
// Stacks and symbols of programs, as the bytes that are recorded of them.

#include "d/lower/part.h"

namespace dt::d::lowering {

class RecordedValues : Part {
 public:
  explicit RecordedValues(Context& context) : Part(context) {}

  // What ustack(), usym() and similar actions give.
  ValueId bytes_of(const Expr* call);
};

}  // namespace dt::d::lowering

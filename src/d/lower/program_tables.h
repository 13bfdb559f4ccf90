#pragma once
// The program's variables and aggregations.

#include "d/lower/part.h"

namespace dt::d::lowering {

class Capacities;

class ProgramTables : Part {
 public:
  ProgramTables(Context& context, Capacities& capacities)
      : Part(context), capacities_(capacities) {}

  void lower();  // variables and aggregations; before any clause

 private:
  Capacities& capacities_;
};

}  // namespace dt::d::lowering

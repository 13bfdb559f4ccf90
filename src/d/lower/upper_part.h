#pragma once
// UpperPart: what the parts of the upper floor of the lowering reach.
//
// The parts stand on two floors. Those of the lower floor (Core) lower scalars, strings, conditions
// and stores by pointer, and know where values are kept; a part of the upper floor lowers one
// subject with them: objects, addresses, assignments, actions. It knows all of the core, and those
// parts of its own floor that its constructor is given, which stand before it in lower.cc.

#include "d/lower/part.h"

namespace dt::d::lowering {

class BitFields;
class Capacities;
class Conditions;
class Integers;
class MemoryStores;
class Parameters;
class StringSubroutines;
class StringValues;
class Variables;

// All outlive the parts of the upper floor.
struct Core {
  Context& context;
  Capacities& capacities;
  Parameters& parameters;
  StringValues& string_values;
  BitFields& bit_fields;
  StringSubroutines& string_subroutines;
  Conditions& conditions;
  Integers& integers;
  Variables& variables;
  MemoryStores& memory_stores;
};

class UpperPart : protected Part {
 protected:
  explicit UpperPart(const Core& core);

  Capacities& capacities_;
  Parameters& parameters_;
  StringValues& string_values_;
  BitFields& bit_fields_;
  StringSubroutines& string_subroutines_;
  Conditions& conditions_;
  Integers& integers_;
  Variables& variables_;
  MemoryStores& memory_stores_;
};

}  // namespace dt::d::lowering

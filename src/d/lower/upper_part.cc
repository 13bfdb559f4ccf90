#include "d/lower/upper_part.h"

namespace dt::d::lowering {

UpperPart::UpperPart(const Core& core)
    : Part(core.context),
      capacities_(core.capacities),
      parameters_(core.parameters),
      string_values_(core.string_values),
      bit_fields_(core.bit_fields),
      string_subroutines_(core.string_subroutines),
      conditions_(core.conditions),
      integers_(core.integers),
      variables_(core.variables),
      memory_stores_(core.memory_stores) {}

}  // namespace dt::d::lowering

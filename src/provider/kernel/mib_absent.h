#pragma once
// The counters of the mib provider that other systems have and this one cannot have.

#include <vector>

#include "provider/mechanism/stable.h"

namespace dt::provider {

std::vector<AbsentProbe> absent_counters();

}  // namespace dt::provider

#pragma once
// args[] of the probes that programs were built with.

#include <vector>

#include "probe/probe.h"
#include "provider/user/usdt_probes.h"
#include "types/type.h"

namespace dt::provider {

// With the types that the program declares for them, as far as they are C's own; what
// only the program knows is an address, or a number of the size that it has at the site.
std::vector<probe::Argument> usdt_arguments(const UsdtProbe& probe, const types::Catalog& types);

}  // namespace dt::provider

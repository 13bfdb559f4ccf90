#pragma once
// args[] of the probes that programs were built with.

#include <vector>

#include "probe/probe.h"
#include "provider/user/usdt_probes.h"
#include "types/type.h"

namespace dt::provider {

// With the types that the program declares for them. Those that are not C's own are the program's
// (DWARF, CTF) where it is one process and its types are known, or else the script's; what
// neither knows is an address, or a number of the size that it has at the site.
std::vector<probe::Argument> usdt_arguments(const UsdtProbe& probe,
                                            const probe::Description& description,
                                            const types::Catalog& types);

}  // namespace dt::provider

#pragma once
// The programs that somebody may start later.

#include <vector>

#include "symbol/process/objects.h"

namespace dt::symbol {

// Programs of ELF in the current directory and in those of PATH. Without mappings.
std::vector<ProcessObject> programs_to_come();

}  // namespace dt::symbol

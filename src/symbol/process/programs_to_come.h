#pragma once
// The programs that somebody may start later.

#include <string_view>
#include <vector>

#include "symbol/process/objects.h"

namespace dt::symbol {

// Programs in the current directory and in those of PATH that are files of ELF with the section.
// Without mappings. All programs of the system are opened: ask once.
std::vector<ProcessObject> programs_to_come(std::string_view section);

}  // namespace dt::symbol

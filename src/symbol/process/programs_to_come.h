#pragma once
// The programs that may be started later.

#include <string_view>
#include <vector>

#include "kernel/kept.h"
#include "symbol/process/objects.h"

namespace dt::symbol {

// Programs in the current directory and in those of PATH that are files of ELF with the section.
// Without mappings. All programs of the system are opened when this is asked for the first time
// since the kernel was started; those that lack the section then are kept (kernel/kept.h), and are
// not opened again. What is new or has changed since is opened each time.
// Modules of the kernel do not matter here.
std::vector<ProcessObject> programs_to_come(std::string_view section,
                                            const kernel::KeptPlaces& places = {
                                                .modules = "/dev/null"});

}  // namespace dt::symbol

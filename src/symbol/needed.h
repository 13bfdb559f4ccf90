#pragma once
// Which libraries a program will map before it begins, as far as its files tell.

#include <string>
#include <vector>

#include "symbol/elf_file.h"

namespace dt::symbol {

// The names of the libraries that the file itself asks for (DT_NEEDED), in its order.
std::vector<std::string> needed_names(const ElfFile& elf);

// Paths of the libraries that `elf` and they ask for, without those that are not found:
// in the directories that the file names (DT_RUNPATH, DT_RPATH; $ORIGIN is `directory`)
// and in those of the system, below `root` ("" or "/proc/PID/root").
std::vector<std::string> needed_libraries(const ElfFile& elf, const std::string& directory,
                                          const std::string& root);

}  // namespace dt::symbol

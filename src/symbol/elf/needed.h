#pragma once
// Which libraries a program will map before it begins, as far as its files tell.

#include <string>
#include <vector>

#include "symbol/elf/file.h"

namespace dt::symbol {

// The names of the libraries that the file itself asks for (DT_NEEDED), in its order.
std::vector<std::string> needed_names(const ElfFile& elf);

// Where the loader looks for libraries: in the directories that the file names (DT_RUNPATH,
// DT_RPATH; $ORIGIN is `directory`) and in those of the system.
std::vector<std::string> library_directories(const ElfFile& elf, const std::string& directory);
// The directories of a list a:b, without those that are not absolute.
std::vector<std::string> directories_of(const std::string& list, const std::string& origin);

// Paths of the libraries that `elf` and they ask for, without those that are not found:
// in library_directories(), below `root` ("" or "/proc/PID/root").
std::vector<std::string> needed_libraries(const ElfFile& elf, const std::string& directory,
                                          const std::string& root);

}  // namespace dt::symbol

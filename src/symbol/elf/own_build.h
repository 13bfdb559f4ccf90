#pragma once
// Which build of the program or the library this is.

#include <string>

namespace dt::symbol {

// The build id that the linker gave the object with this code, as ElfFile::build_id() has it; empty
// without one. It is read from memory, as the file may have been replaced since it was started.
std::string own_build_id();

}  // namespace dt::symbol

#pragma once
// What the debugging information of a program says of its variables, for probes of the program.

#include <memory>
#include <optional>
#include <string>

#include "stap/meaning/program_code.h"
#include "symbol/elf/file.h"

namespace dt::api {

// The files of a program: its code; its debugging information, which is the same file or one that
// was stripped off it; and the DWARF that several files share (dwz), or null.
struct DebugFiles {
  std::shared_ptr<const symbol::ElfFile> code, debug, shared;
};
// nullopt if the program cannot be read, or has no debugging information.
std::optional<DebugFiles> open_debug_files(const std::string& program);

// The functions share all programs that they have opened.
stap::ProgramVariables program_variables();

}  // namespace dt::api

#pragma once
// What the debugging information of a program says of its variables, for probes of the program.

#include <memory>
#include <optional>
#include <string>

#include "stap/front_end.h"
#include "symbol/elf/file.h"

namespace dt::api {

// A program, and the files that have its debugging information: itself, or what was stripped off
// it; and what these share with others, or null.
struct DebugFiles {
  std::shared_ptr<const symbol::ElfFile> code, debug, shared;
};
std::optional<DebugFiles> open_debug_files(const std::string& program);

stap::ProgramVariables program_variables();

}  // namespace dt::api

#pragma once
// The program of dtrace's helpers (page/).

#include <string>

namespace dt::cli {

// This command itself, so that the program is always there and understands what this version
// writes.
std::string own_program();

}  // namespace dt::cli

#pragma once
// Whether the breakpoints of a process are where it executes. The kernel puts them into the pages
// of the file that a path leads to, and says nothing if the process has mapped another one: an
// overlay file system gives the path to a copy when the file is changed (chmod, touch), and
// programs that run keep what they have mapped. It also leaves out code that may be written.

#include <sys/types.h>

#include <cstdint>
#include <string>

#include "support/result.h"

namespace dt::provider {

// Whether the process executes the breakpoint of a probe that has been attached: an error if it
// executes the file's own bytes there. If the process has not mapped the place, or has unmapped it,
// that is no error.
Status check_installed(pid_t pid, const std::string& path, std::uint64_t offset);

}  // namespace dt::provider

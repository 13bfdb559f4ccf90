#pragma once
// Program::arguments of the processes that there are when tracing begins. Of later ones, programs
// write them (argument_programs.h).

#include <cstdint>

#include "kernel/kernel.h"
#include "support/fd.h"
#include "support/result.h"

namespace dt::runtime {

// Writes the arguments of all processes that have none yet to the variable `map` of strings of
// `bytes`. Does nothing in a namespace of processes, where /proc has other numbers than the kernel.
Status write_arguments(kernel::Kernel& kernel, const Fd& map, std::uint32_t bytes);

}  // namespace dt::runtime

#pragma once
// The machine on which scripts run, and us on it.

#include <string>

#include "kernel/kernel.h"
#include "trial.h"

namespace dt::differential {

// Makes the running kernel the third way, on the `worker`th of the CPUs that we
// may use: this process stays there under a known name, with the page that
// scripts read. "", or why there are two ways only.
std::string use_kernel(kernel::Kernel& kernel, std::uint32_t worker, Setup& setup);

}  // namespace dt::differential

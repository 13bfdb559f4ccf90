#pragma once
// dtrace -G: the object file that is linked into a program with probes. It
// defines what the sites and the checks of the header refer to, the counters of
// those who look, and says the types of arguments, as programs may have macros of their own.

#include <span>
#include <string>

#include "usdt/provider.h"

namespace dt::usdt {

// A relocatable ELF file: 64-bit, x86-64.
std::string object(std::span<const Provider> providers);

}  // namespace dt::usdt

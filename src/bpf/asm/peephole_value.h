#pragma once
// Values that are in a machine register already.

#include <vector>

#include "bpf/asm/lir.h"

namespace dt::bpf {

// In straight-line code: drops loads of constants, addresses and stack words
// into registers that hold them, and copies from a register that does where
// that is shorter or saves a load.
void reuse_values(std::vector<Lir>& code);

}  // namespace dt::bpf

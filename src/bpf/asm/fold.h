#pragma once
// What is better done before registers are allocated.

#include "bpf/asm/lir.h"

namespace dt::bpf {

// Constants into immediate forms, addresses into offsets, copies into their
// uses; removes what nothing uses.
void fold(LirCode& code);

}  // namespace dt::bpf

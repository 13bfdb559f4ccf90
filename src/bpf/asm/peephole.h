#pragma once
// Clean-ups over LIR that need no more than a look around.

#include "bpf/asm/lir.h"

namespace dt::bpf {

// Removes code that control cannot reach, and functions that nothing reachable
// calls. The kernel refuses programs that have any.
void remove_unreachable(LirCode& code);

// With real registers: jumps to jumps, jumps to the next instruction, values
// that are in a register already, results that nothing reads.
void peephole(LirCode& code);

}  // namespace dt::bpf

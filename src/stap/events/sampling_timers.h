#pragma once
// Timers of which a script means where the CPU is: probe timer.ms(5) { stacks[backtrace()]++ }.
//
// A timer runs in stap, and not in what it interrupts. A handler that asks for the stack, the place
// or the thread of what runs becomes a sample of one CPU after the other. It fires once in each
// period at most: not while the CPU whose turn it is has nothing to do.

#include "stap/meaning/program.h"

namespace dt::stap {

void sample_by_timers(Program& program);

}  // namespace dt::stap

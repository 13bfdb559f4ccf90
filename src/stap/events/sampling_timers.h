#pragma once
// Timers of which a script means where the CPU is: probe timer.ms(5) { stacks[backtrace()]++ }.
//
// A timer runs in stap, and not in what it interrupts. A handler that asks for the stack, the place
// or the thread of what runs becomes a sample of one CPU after the other, so often as the timer.

#include "stap/meaning/program.h"

namespace dt::stap {

void sample_by_timers(Program& program);

}  // namespace dt::stap

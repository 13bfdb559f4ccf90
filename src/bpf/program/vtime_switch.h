#pragma once
// The time that threads are on a CPU: vtimestamp.

#include "bpf/asm/object.h"
#include "support/result.h"

namespace dt::bpf {

struct Memory;

// The auxiliary program that vtimestamp needs, for the raw tracepoint
// sched_switch: adds the time that the leaving thread was on the CPU to its
// thread-local storage and notes in this CPU's misc word 0 when the next one
// came (0 until the first switch).
Result<Object> generate_vtime_switch(const Memory& memory);

}  // namespace dt::bpf

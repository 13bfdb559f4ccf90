#pragma once
// The number of the process that a program of a provider runs in, where the provider
// itself has to know it.

#include "bpf/asm/emitter.h"
#include "bpf/layout/machine.h"

namespace dt::bpf {

// As we see it; 0 where it is not in our namespace of processes itself.
Reg current_process(Emitter& e, const Machine& machine);

}  // namespace dt::bpf

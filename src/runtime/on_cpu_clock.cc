// The program behind vtimestamp, as a program to load.

#include "runtime/on_cpu_clock.h"

#include "provider/mechanism/tracepoint.h"

namespace dt::runtime {

// sched_switch: at each switch, the time since the last one on this CPU is added to the task that
// leaves.
Load on_cpu_clock(const bpf::Object& object) {
  Load load;
  load.object = &object;
  load.spec.name = "dt_on_cpu_clock";
  load.spec.type = BPF_PROG_TYPE_RAW_TRACEPOINT;
  load.attach = [](const Fd& program, kernel::Kernel& kernel) {
    return provider::attach_tracepoint("sched_switch", program, kernel);
  };
  return load;
}

}  // namespace dt::runtime

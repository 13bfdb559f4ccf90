#pragma once
// What vtimestamp needs beside the script's own programs: one on the raw
// tracepoint sched_switch that adds up each thread's time on the CPU
// (bpf::generate_vtime_switch).

#include "runtime/load.h"

namespace dt::runtime {

// `object` must outlive the session.
Load on_cpu_clock(const bpf::Object& object);

}  // namespace dt::runtime

#pragma once
// Points of the kernel: kernel.function(), kernel.trace(), module().function(), kprobe.function(),
// and counters of perf.

#include "stap/meaning/point_reader.h"

namespace dt::stap {

// Points whose first component is `kernel`, `module` or `kprobe`, or `perf`. False after an error.
bool resolve_kernel_point(PointReader& point);
bool resolve_perf_point(PointReader& point);

}  // namespace dt::stap

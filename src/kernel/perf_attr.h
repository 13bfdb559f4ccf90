#pragma once
// What perf_event_open(2) takes. Private to kernel/.

#include <linux/perf_event.h>

namespace dt::kernel {

struct PerfEvent;

// Disabled: it counts when a program is there.
perf_event_attr attr_of(const PerfEvent& event);

}  // namespace dt::kernel

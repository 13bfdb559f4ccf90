// Which perf events this machine counts, and how the kernel is asked for one.

#include "kernel/perf_event.h"

#include <fmt/format.h>
#include <linux/perf_event.h>
#include <sched.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

#include "kernel/bpf_call.h"
#include "kernel/perf_attr.h"
#include "support/fd.h"

namespace dt::kernel {
perf_event_attr attr_of(const PerfEvent& event) {
  perf_event_attr attr;
  std::memset(&attr, 0, sizeof attr);
  attr.size = sizeof attr;
  attr.type = event.type;
  attr.config = event.config;
  attr.sample_period = event.period;
  attr.exclude_user = !event.in_user;
  attr.exclude_kernel = !event.in_kernel;
  attr.exclude_hv = !event.in_kernel;
  attr.disabled = 1;  // until the program is there
  return attr;
}

bool is_counted(const PerfEvent& event) { return why_not_counted(event, "").empty(); }

std::string why_not_counted(const PerfEvent& event, std::string_view name) {
  perf_event_attr attr = attr_of(event);
  // Of a CPU, not of a thread: the first event of a thread costs a grace period.
  const int fd = perf_open(attr, -1, std::max(sched_getcpu(), 0));
  const Fd opened(fd);
  if (fd >= 0 || fd == -EPERM || fd == -EACCES) return "";  // or we may not; it is there
  if (fd == -ENOSYS) {
    return fmt::format("perf_event_open: {}: {}", std::strerror(ENOSYS), perf_remedy(ENOSYS));
  }
  return fmt::format("this machine does not count {}", name);
}

}  // namespace dt::kernel

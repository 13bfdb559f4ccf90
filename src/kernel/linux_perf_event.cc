// Perf events of LinuxKernel.

#include <fmt/format.h>
#include <linux/perf_event.h>
#include <sys/ioctl.h>

#include <cerrno>

#include "kernel/bpf_call.h"
#include "kernel/linux.h"
#include "kernel/perf_attr.h"

namespace dt::kernel {
namespace {

constexpr std::uint64_t kMinPeriodNs = 10'000;  // the kernel rounds shorter ones up in silence

}  // namespace

Result<Fd> LinuxKernel::attach_perf_event(const PerfEvent& event, int cpu, const Fd& program) {
  perf_event_attr attr = attr_of(event);
  const int fd = perf_open(attr, -1, cpu);
  if (fd < 0) {
    Error error = support::system_error(fmt::format("perf_event_open on CPU {}", cpu), -fd);
    error.remedy = perf_remedy(-fd);
    return error;
  }
  Fd opened(fd);
  // The order matters: an event that is enabled before it has its program samples into nothing, and
  // no counter shows that.
  const auto set = [&](unsigned long request, unsigned long value, const char* name) -> Status {
    if (::ioctl(opened.get(), request, value) == 0) {
      return {};
    }
    return support::system_error(fmt::format("ioctl({}) on the event of CPU {}", name, cpu), errno);
  };
  DT_TRY(set(PERF_EVENT_IOC_SET_BPF, static_cast<unsigned long>(program.get()),
             "PERF_EVENT_IOC_SET_BPF"));
  DT_TRY(set(PERF_EVENT_IOC_ENABLE, 0, "PERF_EVENT_IOC_ENABLE"));
  return opened;
}

Result<Fd> LinuxKernel::attach_cpu_clock(int cpu, std::uint64_t period_ns,
                                         std::uint64_t frequency_hz, const Fd& program) {
  const std::string where = fmt::format("perf_event_open of the clock of CPU {}", cpu);
  // The kernel turns a frequency into a period anyway, but refuses those above
  // its sampling limit; a period has no such limit.
  PerfEvent clock;
  clock.type = PERF_TYPE_SOFTWARE;
  clock.config = PERF_COUNT_SW_CPU_CLOCK;
  clock.period = frequency_hz != 0 ? 1'000'000'000ULL / frequency_hz : period_ns;
  if (clock.period < kMinPeriodNs) {
    return Error::of(
        fmt::format("{}: a period of {} ns is shorter than the {} ns that the kernel's "
                    "clock can do",
                    where, clock.period, kMinPeriodNs),
        "use a lower rate (at most 100000hz)");
  }
  return attach_perf_event(clock, cpu, program);
}

}  // namespace dt::kernel

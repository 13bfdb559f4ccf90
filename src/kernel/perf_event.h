#pragma once
// Perf events: what a CPU counts, and how often a program is to run for it.

#include <cstdint>
#include <string>
#include <string_view>

namespace dt::kernel {

struct PerfEvent {
  std::uint32_t type = 0;    // PERF_TYPE_... (linux/perf_event.h)
  std::uint64_t config = 0;  // which one of its type
  std::uint64_t period = 1;  // the last of so many runs the program
  bool in_user = true, in_kernel = true;
};

// Whether this machine can count it.
bool is_counted(const PerfEvent& event);
// Why it cannot; "" where it can. `name`: what people call the event.
std::string why_not_counted(const PerfEvent& event, std::string_view name);

}  // namespace dt::kernel

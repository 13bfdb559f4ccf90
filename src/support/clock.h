#pragma once
// The clocks of the kernel as one number, and pauses.

#include <time.h>

#include <cstdint>

namespace dt::support {

// The time of a clock (CLOCK_MONOTONIC, CLOCK_REALTIME, ...) in ns.
inline std::int64_t now_ns(clockid_t clock) {
  timespec time = {};
  ::clock_gettime(clock, &time);
  return time.tv_sec * 1'000'000'000LL + time.tv_nsec;
}

// Returns earlier when a signal comes. Async-signal-safe.
inline void sleep_ms(long ms) {
  const timespec time = {ms / 1000, ms % 1000 * 1'000'000};
  ::nanosleep(&time, nullptr);
}

}  // namespace dt::support

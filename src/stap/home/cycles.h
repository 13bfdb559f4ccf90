#pragma once
// What the processor's counter of cycles was at a firing. BPF cannot read it before Linux has a
// kfunc for that, but a firing has its time, and the counter and the clock both run evenly: two
// readings of both tell one from the other. The first one is made before probes are attached, so
// that the second one, at the first question, has to wait for nothing. One line serves the whole
// run, so that later firings have larger counts.

#include <time.h>

#include <algorithm>
#include <cstdint>

#include "machine/x86_64/cycle_counter.h"
#include "support/clock.h"

namespace dt::stap {

class Cycles {
 public:
  // At a time of CLOCK_MONOTONIC. Later times have later counts.
  std::int64_t at(std::int64_t ns) {
    if (per_ns_ == 0) {
      const timespec missing = {0, missing_ns()};
      if (missing.tv_nsec > 0) ::nanosleep(&missing, nullptr);
      const Reading end = read();
      per_ns_ = static_cast<long double>(end.count - begin_.count) /
                static_cast<long double>(end.ns - begin_.ns);
    }
    return static_cast<std::int64_t>(begin_.count) +
           static_cast<std::int64_t>(static_cast<long double>(ns - begin_.ns) * per_ns_);
  }
  // How long the first at() would wait now.
  std::int64_t missing_ns() const {
    return std::max<std::int64_t>(begin_.ns + kApartNs - support::now_ns(CLOCK_MONOTONIC), 0);
  }

 private:
  // A reading is right within some 25 ns, so this makes an error of about 10 ppm: no more than what
  // the clock itself may be slewed by.
  static constexpr std::int64_t kApartNs = 2'000'000;
  struct Reading {
    std::uint64_t count = 0;
    std::int64_t ns = 0;
  };

  // The shortest of a few readings: nothing has interrupted it.
  static Reading read() {
    Reading best;
    std::int64_t least = INT64_MAX;
    for (int i = 0; i < 10; ++i) {
      const std::int64_t before = support::now_ns(CLOCK_MONOTONIC);
      const std::uint64_t count = machine::cycle_counter();
      const std::int64_t took = support::now_ns(CLOCK_MONOTONIC) - before;
      if (took >= least) continue;
      least = took;
      best = {count, before + took / 2};
    }
    return best;
  }

  Reading begin_ = read();
  long double per_ns_ = 0;  // 0: there was no question yet
};

}  // namespace dt::stap

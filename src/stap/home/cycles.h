#pragma once
// What the processor's counter of cycles was at a firing. BPF cannot read it before Linux has a
// kfunc for that, but a firing has its time, and the counter and the clock both run evenly: two
// readings of both tell one from the other. One line serves the whole run, so that later firings
// have larger counts.

#include <time.h>

#include <cstdint>
#include <optional>

#include "machine/x86_64/cycle_counter.h"
#include "support/clock.h"

namespace dt::stap {

class Cycles {
 public:
  // At a time of CLOCK_MONOTONIC. The first call takes kApartNs. Later times have later counts.
  std::int64_t at(std::int64_t ns) {
    if (!begin_) {
      begin_ = read();
      const timespec apart = {0, kApartNs};
      ::nanosleep(&apart, nullptr);
      const Reading end = read();
      per_ns_ = static_cast<long double>(end.count - begin_->count) /
                static_cast<long double>(end.ns - begin_->ns);
    }
    return static_cast<std::int64_t>(begin_->count) +
           static_cast<std::int64_t>(static_cast<long double>(ns - begin_->ns) * per_ns_);
  }

 private:
  static constexpr std::int64_t kApartNs = 20'000'000;
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

  std::optional<Reading> begin_;
  long double per_ns_ = 0;
};

}  // namespace dt::stap

// Tests of the counter of cycles: counts follow the clock, and the first one waits for nothing
// where enough time has passed.

#include "stap/home/cycles.h"

#include <gtest/gtest.h>
#include <time.h>

#include <cstdint>

namespace dt::stap {
namespace {

std::int64_t monotonic_ns() {
  timespec now = {};
  ::clock_gettime(CLOCK_MONOTONIC, &now);
  return now.tv_sec * INT64_C(1'000'000'000) + now.tv_nsec;
}

TEST(Cycles, TheFirstCountWaitsOnlyForWhatIsMissingSinceTheBegin) {
  Cycles cycles;
  EXPECT_LE(cycles.missing_ns(), 2'000'000);
  const std::int64_t begin = monotonic_ns();
  while (cycles.missing_ns() > 0) {
    ASSERT_LT(monotonic_ns() - begin, INT64_C(10'000'000'000));
  }
  EXPECT_GT(cycles.at(monotonic_ns()), 0);
}

TEST(Cycles, LaterTimesHaveLaterCountsAtOneRate) {
  Cycles cycles;
  const std::int64_t now = monotonic_ns();
  const std::int64_t first = cycles.at(now), second = cycles.at(now + 1'000'000);
  EXPECT_GT(second, first);
  EXPECT_NEAR(static_cast<double>(cycles.at(now + 2'000'000) - second),
              static_cast<double>(second - first), 2.0);
  EXPECT_LT(cycles.at(now - 1'000'000), first);
}

}  // namespace
}  // namespace dt::stap

// When the consumer looks again.

#include "runtime/pace.h"

#include <gtest/gtest.h>

namespace dt::runtime {
namespace {

constexpr std::size_t kRing = 8 << 20;

TEST(Pace, LooksAgainAtOnceAfterABigHarvest) {
  Pace pace(kRing, false);
  pace.consumed(kRing / 2);
  EXPECT_EQ(pace.sleep_ms(), 0U);
  pace.consumed(64);
  EXPECT_EQ(pace.sleep_ms(), 1U);
}

TEST(Pace, BacksOffWhenIdleButNotForLong) {
  Pace pace(kRing, false);
  std::uint32_t last = pace.sleep_ms();
  for (int i = 0; i < 20; ++i) {
    pace.consumed(0);
    EXPECT_GE(pace.sleep_ms(), last);
    last = pace.sleep_ms();
  }
  EXPECT_EQ(last, Pace::kMaxIdleMs);
  pace.consumed(64);
  EXPECT_EQ(pace.sleep_ms(), 1U);
}

TEST(Pace, NeverSleepsLongerThanASmallRingLasts) {
  Pace pace(64 << 10, false);
  for (int i = 0; i < 20; ++i) {
    pace.consumed(0);
  }
  EXPECT_EQ(pace.sleep_ms(), 1U);
}

TEST(Pace, SleepsLongWhenEveryRecordWakesUs) {
  Pace pace(kRing, true);
  EXPECT_EQ(pace.sleep_ms(), Pace::kUrgentOnlyMs);
  pace.consumed(0);
  EXPECT_EQ(pace.sleep_ms(), Pace::kUrgentOnlyMs);
  Pace none(0, false);  // no ring at all
  none.consumed(0);
  EXPECT_EQ(none.sleep_ms(), Pace::kUrgentOnlyMs);
}

}  // namespace
}  // namespace dt::runtime

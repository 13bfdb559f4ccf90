#include "api/input/interrupts.h"

#include <gtest/gtest.h>

namespace dt::api {
namespace {

using std::chrono::milliseconds;

TEST(Interrupts, SignalsOfOneMomentAreOneRequest) {
  const Interrupts::Clock::time_point start{};
  Interrupts interrupts;
  EXPECT_FALSE(interrupts.any());
  interrupts.add(false, start);
  interrupts.add(true, start + milliseconds(1));
  EXPECT_EQ(interrupts.count(), 1);
  EXPECT_TRUE(interrupts.terminates());
  EXPECT_FALSE(interrupts.is_repeated());
  interrupts.add(false, start + milliseconds(501));
  EXPECT_TRUE(interrupts.is_repeated());
}

TEST(Interrupts, OneRequestEndsTheRunAndOneMoreItsResults) {
  const Interrupts::Clock::time_point start{};
  Interrupts interrupts;
  interrupts.add(false, start);
  EXPECT_FALSE(interrupts.ends_printing());
  interrupts.begin_results();
  EXPECT_FALSE(interrupts.ends_printing());
  interrupts.add(false, start + milliseconds(600));
  EXPECT_TRUE(interrupts.ends_printing());
  EXPECT_EQ(interrupts.discarded(),
            "interrupted twice: aggregations that were not printed yet are discarded");
}

TEST(Interrupts, TheFirstRequestEndsResultsThatHaveBegun) {
  Interrupts interrupts;
  interrupts.begin_results();
  EXPECT_FALSE(interrupts.ends_printing());
  interrupts.add(false);
  EXPECT_TRUE(interrupts.ends_printing());
  EXPECT_EQ(interrupts.discarded(),
            "interrupted: aggregations that were not printed yet are discarded");
}

}  // namespace
}  // namespace dt::api

// The wording of drops.

#include "consumer/structured/drops.h"

#include <gtest/gtest.h>

#include <string>

#include "record/drop.h"
#include "record/schema.h"

namespace dt::consumer {
namespace {

using record::Drop;

class DropsTest : public ::testing::Test {
 protected:
  void set(std::size_t cpu, Drop drop, std::uint64_t count) {
    counters_[cpu * record::kDropCounters + static_cast<std::size_t>(drop)] = count;
  }
  std::vector<std::string> report(bool tags = false) {
    std::vector<std::string> lines;
    drops_.report(counters_, tags, [&](std::string_view line) { lines.emplace_back(line); });
    return lines;
  }
  std::vector<std::uint64_t> counters_ = std::vector<std::uint64_t>(3 * record::kDropCounters);
  Drops drops_;
};

TEST_F(DropsTest, NothingLostSaysNothing) { EXPECT_TRUE(report().empty()); }

TEST_F(DropsTest, PrincipalAndAggregationDropsAreByCpu) {
  set(2, Drop::kPrincipal, 17);
  set(0, Drop::kPrincipal, 1);
  set(0, Drop::kAggregation, 5);
  set(1, Drop::kAggregation, 1);
  EXPECT_EQ(report(), (std::vector<std::string>{"1 drop on CPU 0", "17 drops on CPU 2",
                                                "5 aggregation drops on CPU 0",
                                                "1 aggregation drop on CPU 1"}));
}

TEST_F(DropsTest, AFiringWithoutAScratchLevelIsADropOnItsCpu) {
  set(1, Drop::kPrincipal, 2);
  set(1, Drop::kNesting, 3);
  EXPECT_EQ(report(), std::vector<std::string>{"5 drops on CPU 1"});
}

TEST_F(DropsTest, OtherDropsAreTotals) {
  for (const std::size_t cpu : {0UL, 2UL}) {
    set(cpu, Drop::kDynamic, 6);
    set(cpu, Drop::kSpeculative, 2);
    set(cpu, Drop::kSpecBusy, 1);
    set(cpu, Drop::kSpecUnavailable, 1);
    set(cpu, Drop::kStackStrings, 1);
    set(cpu, Drop::kDoubleError, 2);
  }
  EXPECT_EQ(report(),
            (std::vector<std::string>{"12 dynamic variable drops", "4 speculative drops",
                                      "2 failed speculations (available buffer(s) still busy)",
                                      "2 failed speculations (no speculative buffer available)",
                                      "2 jstack()/ustack() string table overflows",
                                      "4 errors in ERROR probe enabling"}));
}

TEST_F(DropsTest, OneIsSingularAndTagsComeFirst) {
  set(0, Drop::kPrincipal, 1);
  set(0, Drop::kAggregation, 1);
  set(0, Drop::kDynamic, 1);
  set(0, Drop::kSpeculative, 1);
  set(0, Drop::kSpecBusy, 1);
  set(0, Drop::kSpecUnavailable, 1);
  set(0, Drop::kStackStrings, 1);
  set(0, Drop::kDoubleError, 1);
  EXPECT_EQ(
      report(true),
      (std::vector<std::string>{
          "[DTRACEDROP_PRINCIPAL] 1 drop on CPU 0",
          "[DTRACEDROP_AGGREGATION] 1 aggregation drop on CPU 0",
          "[DTRACEDROP_DYNAMIC] 1 dynamic variable drop", "[DTRACEDROP_SPEC] 1 speculative drop",
          "[DTRACEDROP_SPECBUSY] 1 failed speculation (available buffer(s) still busy)",
          "[DTRACEDROP_SPECUNAVAIL] 1 failed speculation (no speculative buffer available)",
          "[DTRACEDROP_STKSTROVERFLOW] 1 jstack()/ustack() string table overflow",
          "[DTRACEDROP_DBLERROR] 1 error in ERROR probe enabling"}));
}

TEST_F(DropsTest, OnlyTheIncreaseIsReported) {
  set(0, Drop::kPrincipal, 10);
  EXPECT_EQ(report(), std::vector<std::string>{"10 drops on CPU 0"});
  EXPECT_TRUE(report().empty());
  set(0, Drop::kPrincipal, 11);
  EXPECT_EQ(report(), std::vector<std::string>{"1 drop on CPU 0"});
}

}  // namespace
}  // namespace dt::consumer

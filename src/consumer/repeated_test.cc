#include "consumer/repeated.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace dt::consumer {
namespace {

std::vector<std::string> reported(RepeatedFaults& faults) {
  std::vector<std::string> said;
  faults.report([&said](std::string_view text) { said.emplace_back(text); });
  return said;
}

TEST(RepeatedFaults, TheFirstOfEachPlaceIsSaidAndTheOthersAreCounted) {
  RepeatedFaults faults;
  EXPECT_TRUE(faults.is_first({1, 0, 1}, "at 0x10"));
  EXPECT_TRUE(faults.is_first({1, 1, 1}, "elsewhere"));
  EXPECT_TRUE(faults.is_first({2, 0, 1}, "of another probe"));
  EXPECT_TRUE(reported(faults).empty());
  EXPECT_FALSE(faults.is_first({1, 0, 1}, "at 0x11"));
  EXPECT_FALSE(faults.is_first({1, 0, 1}, "at 0x12"));
  EXPECT_FALSE(faults.is_first({2, 0, 1}, "of another probe, again"));
  EXPECT_EQ(reported(faults),
            (std::vector<std::string>{"at 0x12: 2 more times", "of another probe, again"}));
  EXPECT_TRUE(reported(faults).empty());
}

}  // namespace
}  // namespace dt::consumer

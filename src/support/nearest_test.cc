#include "support/nearest.h"

#include <gtest/gtest.h>

namespace dt::support {
namespace {

TEST(EditDistance, CountsLettersAndSwaps) {
  EXPECT_EQ(edit_distance("open", "open", 3), 0u);
  EXPECT_EQ(edit_distance("opne", "open", 3), 1u);
  EXPECT_EQ(edit_distance("opn", "open", 3), 1u);
  EXPECT_EQ(edit_distance("kitten", "sitting", 5), 3u);
  EXPECT_EQ(edit_distance("", "abc", 5), 3u);
  EXPECT_GT(edit_distance("a", "abcdefgh", 3), 3u);
  EXPECT_GT(edit_distance(std::string(500, 'a'), std::string(500, 'b'), 3), 3u);
}

// Where every letter so far is wrong, a swap may still come.
TEST(EditDistance, IsTheSameWithATightLimit) {
  const char* const texts[] = {"",    "a",    "ab",   "ba",   "abc",  "bac",
                               "bca", "abcd", "badc", "cabd", "xbadc"};
  for (const char* a : texts) {
    for (const char* b : texts) {
      const std::size_t distance = edit_distance(a, b, 100);
      for (std::size_t limit = 0; limit < 6; ++limit) {
        const std::size_t limited = edit_distance(a, b, limit);
        if (distance <= limit) {
          EXPECT_EQ(limited, distance) << a << " " << b << " " << limit;
        } else {
          EXPECT_GT(limited, limit) << a << " " << b << " " << limit;
        }
      }
    }
  }
}

TEST(Nearest, FindsASlipOfTheFingerAndNothingFarther) {
  EXPECT_EQ(nearest("exename", {"execname", "pid"}), "execname");
  EXPECT_EQ(nearest("timestmap", {"timestamp", "vtimestamp"}), "timestamp");
  EXPECT_EQ(nearest("strat", {"trait", "start"}), "start");
  EXPECT_EQ(nearest("wombat", {"execname", "pid"}), "");
}

}  // namespace
}  // namespace dt::support

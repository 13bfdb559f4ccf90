#include "api/run/replayed_part.h"

#include <gtest/gtest.h>

#include <string>
#include <utility>

#include "api/options/time_text.h"
#include "recording/reader.h"

namespace dt::api {
namespace {

constexpr std::int64_t kStart = 1000 * kSecondNs;

struct Part {
  explicit Part(std::string range) {
    options.range = std::move(range);
    head.start_ns = kStart;
  }

  Options options;
  record::Schema schema;
  recording::Head head;
  recording::Reader reader{[](std::span<char>) -> Result<std::size_t> { return std::size_t{0}; }};
  recording::KnownReads reads{schema};
  Callbacks callbacks;
  ReplayedPart part{options, schema, head, reader, reads, callbacks};
};

TEST(ReplayedPart, WithoutARangeAllIsShown) {
  Part all("");
  ASSERT_TRUE(all.part.begin().ok());
  EXPECT_TRUE(all.part.shows_at(0));
  std::vector<std::uint64_t> drops = {3, 4};
  EXPECT_TRUE(all.part.cut_drops(drops));
  EXPECT_EQ(drops, (std::vector<std::uint64_t>{3, 4}));
}

TEST(ReplayedPart, DropsAreThoseOfTheRangeAlone) {
  Part second("1s..2s");
  ASSERT_TRUE(second.part.begin().ok());
  std::vector<std::uint64_t> before = {1, 10}, within = {3, 10}, behind = {9, 50};
  EXPECT_FALSE(second.part.shows_at(kStart));
  EXPECT_FALSE(second.part.cut_drops(before));
  EXPECT_TRUE(second.part.shows_at(kStart + kSecondNs));
  EXPECT_TRUE(second.part.cut_drops(within));
  EXPECT_EQ(within, (std::vector<std::uint64_t>{2, 0}));
  EXPECT_FALSE(second.part.shows_at(kStart + 2 * kSecondNs));
  EXPECT_FALSE(second.part.cut_drops(behind));
}

TEST(ReplayedPart, ARangeThatIsNoneIsRefused) {
  Part none("2s..1s");
  EXPECT_FALSE(none.part.begin().ok());
}

}  // namespace
}  // namespace dt::api

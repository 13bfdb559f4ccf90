#include "record/bucket_bounds.h"

#include <gtest/gtest.h>

#include <limits>

namespace dt::record {
namespace {

constexpr std::int64_t kLowest = std::numeric_limits<std::int64_t>::min();
constexpr std::int64_t kHighest = std::numeric_limits<std::int64_t>::max();

AggLayout layout_of(AggFunc func, AggParams params) {
  AggLayout layout;
  layout.func = func;
  layout.params = params;
  layout.value_words = value_words(func, params);
  return layout;
}

// One bucket begins where the one before it ends.
void expect_whole(const AggLayout& layout, std::size_t buckets) {
  const BucketBounds bounds(layout);
  EXPECT_EQ(bounds.of(0).low, kLowest);
  for (std::size_t i = 1; i < buckets; ++i) {
    EXPECT_EQ(bounds.of(i).low, bounds.of(i - 1).high + 1) << i;
  }
  EXPECT_EQ(bounds.of(layout.value_words - 1).high, kHighest);
}

TEST(BucketBounds, OfPowersOfTwo) {
  const AggLayout layout = layout_of(AggFunc::kQuantize, {});
  expect_whole(layout, kQuantizeBuckets);
  for (const std::int64_t value : {kLowest, std::int64_t{-5}, std::int64_t{-1}, std::int64_t{0},
                                   std::int64_t{1}, std::int64_t{7}, std::int64_t{8}, kHighest}) {
    const auto [low, high] = BucketBounds(layout).of(quantize_bucket(value));
    EXPECT_TRUE(low <= value && value <= high) << value;
  }
}

TEST(BucketBounds, OfLinearBuckets) {
  AggParams params;
  params.base = -50;
  params.limit = 85;
  params.step = 10;
  const AggLayout layout = layout_of(AggFunc::kLquantize, params);
  expect_whole(layout, layout.value_words);
  EXPECT_EQ(BucketBounds(layout).of(1).low, -50);
  EXPECT_EQ(BucketBounds(layout).of(1).high, -41);
}

TEST(BucketBounds, OfLogLinearBucketsUpToTheEndOf64Bits) {
  AggParams params;
  params.factor = 10;
  params.low = 0;
  params.high = 18;
  params.nsteps = 10;
  const AggLayout layout = layout_of(AggFunc::kLlquantize, params);
  const BucketBounds bounds(layout);
  EXPECT_EQ(bounds.of(1).low, 1);
  const std::vector<std::uint64_t> boundaries = llquantize_boundaries(params);
  for (const std::int64_t value :
       {std::int64_t{0}, std::int64_t{9}, std::int64_t{10}, std::int64_t{1234567}, kHighest}) {
    const auto [low, high] = bounds.of(llquantize_bucket(boundaries, value));
    EXPECT_TRUE(low <= value && value <= high) << value;
  }
}

}  // namespace
}  // namespace dt::record

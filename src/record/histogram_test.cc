// Bucket functions at their boundaries.

#include <gtest/gtest.h>

#include <limits>

#include "record/aggregation.h"

namespace dt::record {
namespace {

constexpr std::int64_t kMin = std::numeric_limits<std::int64_t>::min();
constexpr std::int64_t kMax = std::numeric_limits<std::int64_t>::max();

TEST(Quantize, EveryBucketBeginsAtItsValueAndEndsBeforeTheNext) {
  for (std::uint32_t bucket = 0; bucket < kQuantizeBuckets; ++bucket) {
    const std::int64_t value = quantize_value(bucket);
    EXPECT_EQ(quantize_bucket(value), bucket) << value;
    // Positive buckets run upwards from their value, negative ones downwards.
    if (bucket > kQuantizeZero) {
      EXPECT_EQ(quantize_bucket(value - 1), bucket - 1) << value;
    }
    if (bucket < kQuantizeZero) {
      EXPECT_EQ(quantize_bucket(value + 1), bucket + 1) << value;
    }
  }
}

TEST(Quantize, PowersOfTwo) {
  struct Case {
    std::int64_t value;
    std::uint32_t bucket;
  };
  const Case cases[] = {{0, 63},
                        {1, 64},
                        {2, 65},
                        {3, 65},
                        {4, 66},
                        {1023, 73},
                        {1024, 74},
                        {-1, 62},
                        {-2, 61},
                        {-3, 61},
                        {-4, 60},
                        {kMax, 126},
                        {std::int64_t{1} << 62, 126},
                        {kMin, 0},
                        {kMin + 1, 0},
                        {-(std::int64_t{1} << 62), 0},
                        {-(std::int64_t{1} << 62) + 1, 1}};
  for (const Case& c : cases) EXPECT_EQ(quantize_bucket(c.value), c.bucket) << c.value;
}

TEST(Lquantize, UnderflowLevelsAndOverflow) {
  const AggParams params{.base = 10, .limit = 40, .step = 10};
  EXPECT_EQ(lquantize_levels(params), 3U);
  EXPECT_EQ(value_words(AggFunc::kLquantize, params), 5U);
  EXPECT_EQ(lquantize_bucket(params, kMin), 0U);
  EXPECT_EQ(lquantize_bucket(params, 9), 0U);
  EXPECT_EQ(lquantize_bucket(params, 10), 1U);
  EXPECT_EQ(lquantize_bucket(params, 19), 1U);
  EXPECT_EQ(lquantize_bucket(params, 20), 2U);
  EXPECT_EQ(lquantize_bucket(params, 39), 3U);
  EXPECT_EQ(lquantize_bucket(params, 40), 4U);
  EXPECT_EQ(lquantize_bucket(params, kMax), 4U);
}

TEST(Lquantize, ARangeThatTheStepDoesNotDivideLosesItsRestToOverflow) {
  const AggParams params{.base = 0, .limit = 10, .step = 3};
  EXPECT_EQ(lquantize_levels(params), 3U);
  EXPECT_EQ(lquantize_bucket(params, 8), 3U);
  EXPECT_EQ(lquantize_bucket(params, 9), 4U);
}

TEST(Lquantize, NegativeBasesAndExtremeRangesDoNotOverflow) {
  const AggParams params{.base = -100, .limit = 100, .step = 100};
  EXPECT_EQ(lquantize_bucket(params, -101), 0U);
  EXPECT_EQ(lquantize_bucket(params, -100), 1U);
  EXPECT_EQ(lquantize_bucket(params, -1), 1U);
  EXPECT_EQ(lquantize_bucket(params, 0), 2U);
  EXPECT_EQ(lquantize_bucket(params, kMax), 3U);
  const AggParams wide{.base = kMin, .limit = kMax, .step = std::int64_t{1} << 62};
  EXPECT_EQ(lquantize_levels(wide), 3U);
  EXPECT_EQ(lquantize_bucket(wide, kMin), 1U);
  EXPECT_EQ(lquantize_bucket(wide, 0), 3U);
  EXPECT_EQ(lquantize_bucket(wide, kMax), 4U);
}

TEST(Llquantize, DecadesInTwentySteps) {
  const AggParams params{.factor = 10, .low = 0, .high = 2, .nsteps = 20};
  const auto bounds = llquantize_boundaries(params);
  // 1..9 by 1, 10..95 by 5, 100..950 by 50, overflow from 1000.
  ASSERT_EQ(bounds.size(), 9U + 18U + 18U + 1U);
  EXPECT_EQ(value_words(AggFunc::kLlquantize, params), bounds.size() + 1);
  EXPECT_EQ(bounds[0], 1U);
  EXPECT_EQ(bounds[8], 9U);
  EXPECT_EQ(bounds[9], 10U);
  EXPECT_EQ(bounds[10], 15U);
  EXPECT_EQ(bounds[27], 100U);
  EXPECT_EQ(bounds[28], 150U);
  EXPECT_EQ(bounds.back(), 1000U);
  EXPECT_EQ(llquantize_bucket(bounds, kMin), 0U);
  EXPECT_EQ(llquantize_bucket(bounds, 0), 0U);
  EXPECT_EQ(llquantize_bucket(bounds, 999), bounds.size() - 1);
  EXPECT_EQ(llquantize_bucket(bounds, 1000), bounds.size());
  EXPECT_EQ(llquantize_bucket(bounds, kMax), bounds.size());
}

TEST(Llquantize, EveryBoundaryStartsItsBucket) {
  const AggParams all[] = {{.factor = 2, .low = 0, .high = 10, .nsteps = 8},
                           {.factor = 10, .low = 3, .high = 6, .nsteps = 10},
                           {.factor = 10, .low = 0, .high = 18, .nsteps = 100},
                           {.factor = 2, .low = 0, .high = 63, .nsteps = 2}};
  for (const AggParams& params : all) {
    const auto bounds = llquantize_boundaries(params);
    ASSERT_FALSE(bounds.empty());
    for (std::size_t i = 0; i < bounds.size(); ++i) {
      if (i > 0) {
        EXPECT_LT(bounds[i - 1], bounds[i]);
      }
      if (bounds[i] > static_cast<std::uint64_t>(kMax)) continue;
      const auto value = static_cast<std::int64_t>(bounds[i]);
      EXPECT_EQ(llquantize_bucket(bounds, value), i + 1) << value;
      EXPECT_EQ(llquantize_bucket(bounds, value - 1), i) << value;
    }
  }
}

TEST(Llquantize, AnOverflowBeyondSixtyFourBitsBeginsAtTheGreatestValue) {
  const auto bounds = llquantize_boundaries({.factor = 10, .low = 0, .high = 19, .nsteps = 10});
  EXPECT_EQ(bounds.back(), std::numeric_limits<std::uint64_t>::max());
  EXPECT_EQ(llquantize_bucket(bounds, kMax), bounds.size() - 2);
}

TEST(HistogramValues, HaveTheWordsOfTheirFunction) {
  EXPECT_EQ(value_words(AggFunc::kCount, {}), 1U);
  EXPECT_EQ(value_words(AggFunc::kSum, {}), 1U);
  EXPECT_EQ(value_words(AggFunc::kMin, {}), 1U);
  EXPECT_EQ(value_words(AggFunc::kMax, {}), 1U);
  EXPECT_EQ(value_words(AggFunc::kAvg, {}), 3U);
  EXPECT_EQ(value_words(AggFunc::kStddev, {}), 5U);
  EXPECT_EQ(value_words(AggFunc::kQuantize, {}), 127U);
}

}  // namespace
}  // namespace dt::record

// Percentiles against all values that were put into the histogram.

#include "consumer/aggregation/percentile.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <vector>

namespace dt::consumer {
namespace {

using record::AggFunc;

record::AggLayout layout_of(AggFunc func, record::AggParams params) {
  record::AggLayout layout;
  layout.func = func;
  layout.params = params;
  layout.value_words = record::value_words(func, params);
  return layout;
}

std::size_t bucket_of(const record::AggLayout& layout, std::int64_t value) {
  switch (layout.func) {
    case AggFunc::kQuantize:
      return record::quantize_bucket(value);
    case AggFunc::kLquantize:
      return record::lquantize_bucket(layout.params, value);
    default:
      return record::llquantize_bucket(record::llquantize_boundaries(layout.params), value);
  }
}

// The percentile's bucket is the one of the value that the sorted values have at its place, and
// no value of this bucket is above what is given, unless the bucket is open.
void check(const record::AggLayout& layout, std::int64_t least, std::int64_t most) {
  std::mt19937_64 random(7);
  std::uniform_int_distribution<std::int64_t> any(least, most);
  std::vector<std::int64_t> values(999);
  std::vector<std::uint64_t> words(layout.value_words);
  for (std::int64_t& value : values) {
    value = any(random);
    ++words[bucket_of(layout, value)];
  }
  std::sort(values.begin(), values.end());
  for (const std::int32_t thousandths : {0, 1, 1000, 50'000, 90'000, 99'000, 99'900, 100'000}) {
    const std::size_t rank = std::max<std::size_t>(
        1, (values.size() * static_cast<std::size_t>(thousandths) + 99'999) / 100'000);
    const std::int64_t exact = values[rank - 1];
    const std::int64_t given = percentile(layout, words, thousandths);
    EXPECT_EQ(bucket_of(layout, given), bucket_of(layout, exact)) << thousandths;
    const bool is_open = bucket_of(layout, exact) + 1 == words.size();
    const bool is_end = bucket_of(layout, given + 1) == bucket_of(layout, given) + 1;
    EXPECT_EQ(is_end, !is_open) << thousandths << " " << given;
  }
  EXPECT_EQ(total(words), 999);
}

TEST(Percentile, OfPowersOfTwo) {
  check(layout_of(AggFunc::kQuantize, {}), -1000, 5000);
  check(layout_of(AggFunc::kQuantize, {}), -8, 8);
  check(layout_of(AggFunc::kQuantize, {}), -70000, -1);
}

TEST(Percentile, OfLinearBuckets) {
  record::AggParams params;
  params.base = -50;
  params.limit = 85;  // the last 5 of these count as above
  params.step = 10;
  check(layout_of(AggFunc::kLquantize, params), -60, 90);
}

TEST(Percentile, OfLogLinearBuckets) {
  record::AggParams params;
  params.factor = 10;
  params.low = 1;
  params.high = 3;
  params.nsteps = 20;
  check(layout_of(AggFunc::kLlquantize, params), -5, 12000);
}

}  // namespace
}  // namespace dt::consumer

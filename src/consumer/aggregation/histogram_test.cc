// Histograms, to the blank.

#include "consumer/aggregation/histogram.h"

#include <gtest/gtest.h>

#include <limits>

namespace dt::consumer {
namespace {

using record::AggFunc;

struct Histogram {
  explicit Histogram(AggFunc func, record::AggParams params = {}) {
    layout.func = func;
    layout.params = params;
    layout.value_words = record::value_words(func, params);
    words.resize(layout.value_words);
  }
  Histogram& quantized(std::int64_t value, std::int64_t count) {
    words[record::quantize_bucket(value)] += static_cast<std::uint64_t>(count);
    return *this;
  }
  Histogram& linear(std::int64_t value, std::int64_t count) {
    words[record::lquantize_bucket(layout.params, value)] += static_cast<std::uint64_t>(count);
    return *this;
  }
  Histogram& log_linear(std::int64_t value, std::int64_t count) {
    const auto bounds = record::llquantize_boundaries(layout.params);
    words[record::llquantize_bucket(bounds, value)] += static_cast<std::uint64_t>(count);
    return *this;
  }
  std::string text(std::int64_t normal = 1, bool zoom = false) const {
    std::string out;
    append_histogram(out, layout, words, normal, BarStyle{zoom, false});
    return out;
  }
  record::AggLayout layout;
  std::vector<std::uint64_t> words;
};

record::AggParams linear_params(std::int64_t base, std::int64_t limit, std::int64_t step) {
  record::AggParams params;
  params.base = base;
  params.limit = limit;
  params.step = step;
  return params;
}

record::AggParams log_linear_params(std::uint32_t factor, std::uint32_t low, std::uint32_t high,
                                    std::uint32_t nsteps) {
  record::AggParams params;
  params.factor = factor;
  params.low = low;
  params.high = high;
  params.nsteps = nsteps;
  return params;
}

TEST(Histogram, QuantizeShowsOneEmptyBucketBeforeAndAfter) {
  EXPECT_EQ(Histogram(AggFunc::kQuantize)
                .quantized(0, 1)
                .quantized(64, 1)
                .quantized(256, 4)
                .quantized(512, 4)
                .text(),
            "\n"
            "           value  ------------- Distribution ------------- count    \n"
            "              -1 |                                         0        \n"
            "               0 |@@@@                                     1        \n"
            "               1 |                                         0        \n"
            "               2 |                                         0        \n"
            "               4 |                                         0        \n"
            "               8 |                                         0        \n"
            "              16 |                                         0        \n"
            "              32 |                                         0        \n"
            "              64 |@@@@                                     1        \n"
            "             128 |                                         0        \n"
            "             256 |@@@@@@@@@@@@@@@@                         4        \n"
            "             512 |@@@@@@@@@@@@@@@@                         4        \n"
            "            1024 |                                         0        \n");
}

TEST(Histogram, NegativeCountsGrowLeftwards) {
  EXPECT_EQ(Histogram(AggFunc::kQuantize).quantized(1, -3).quantized(2, -1).text(),
            "\n"
            "           value  ------------- Distribution ------------- count    \n"
            "               0                                         | 0        \n"
            "               1           @@@@@@@@@@@@@@@@@@@@@@@@@@@@@@| -3       \n"
            "               2                               @@@@@@@@@@| -1       \n"
            "               4                                         | 0        \n");
}

TEST(Histogram, BothSignsShareTheWidth) {
  EXPECT_EQ(Histogram(AggFunc::kLquantize, linear_params(0, 3, 1))
                .linear(-1, -123)
                .linear(0, -123)
                .linear(1, 246)
                .text(),
            "\n"
            "           value  ------------- Distribution ------------- count    \n"
            "             < 0                @@@@@|                     -123     \n"
            "               0                @@@@@|                     -123     \n"
            "               1                     |@@@@@@@@@@           246      \n"
            "               2                     |                     0        \n");
}

TEST(Histogram, LquantizeNamesItsEnds) {
  EXPECT_EQ(Histogram(AggFunc::kLquantize, linear_params(10, 30, 10))
                .linear(5, 1)
                .linear(10, 2)
                .linear(29, 3)
                .linear(30, 4)
                .text(),
            "\n"
            "           value  ------------- Distribution ------------- count    \n"
            "            < 10 |@@@@                                     1        \n"
            "              10 |@@@@@@@@                                 2        \n"
            "              20 |@@@@@@@@@@@@                             3        \n"
            "           >= 30 |@@@@@@@@@@@@@@@@                         4        \n");
}

TEST(Histogram, LlquantizeStepsByMagnitude) {
  EXPECT_EQ(Histogram(AggFunc::kLlquantize, log_linear_params(10, 0, 2, 10))
                .log_linear(9, 1)
                .log_linear(15, 10)
                .log_linear(100, 1)
                .text()
                .substr(0, 300),
            Histogram(AggFunc::kLlquantize, log_linear_params(10, 0, 2, 10))
                .log_linear(9, 1)
                .log_linear(19, 10)
                .log_linear(199, 1)
                .text()
                .substr(0, 300));
  EXPECT_EQ(Histogram(AggFunc::kLlquantize, log_linear_params(10, 0, 1, 10))
                .log_linear(0, 1)
                .log_linear(1, 1)
                .text(),
            "\n"
            "           value  ------------- Distribution ------------- count    \n"
            "             < 1 |@@@@@@@@@@@@@@@@@@@@                     1        \n"
            "               1 |@@@@@@@@@@@@@@@@@@@@                     1        \n"
            "               2 |                                         0        \n");
  EXPECT_EQ(Histogram(AggFunc::kLlquantize, log_linear_params(10, 0, 1, 10))
                .log_linear(90, 1)
                .log_linear(100, 1)
                .text(),
            "\n"
            "           value  ------------- Distribution ------------- count    \n"
            "              80 |                                         0        \n"
            "              90 |@@@@@@@@@@@@@@@@@@@@                     1        \n"
            "          >= 100 |@@@@@@@@@@@@@@@@@@@@                     1        \n");
}

TEST(Histogram, LlquantizeOfNothingShowsTwoRows) {
  EXPECT_EQ(Histogram(AggFunc::kLlquantize, log_linear_params(10, 0, 6, 20)).text(),
            "\n"
            "           value  ------------- Distribution ------------- count    \n"
            "             < 1 |                                         0        \n"
            "               1 |                                         0        \n");
}

TEST(Histogram, LlquantizeShowsALimitBeyondSixtyFourBits) {
  const Histogram histogram(AggFunc::kLlquantize, log_linear_params(10, 18, 19, 10));
  Histogram filled = histogram;
  filled.words.back() = 1;
  EXPECT_NE(filled.text().find(">= 100000000000000000000 |@"), std::string::npos) << filled.text();
}

TEST(Histogram, ValuesAtTheEndsOfTheRangeAreShown) {
  const std::string low =
      Histogram(AggFunc::kQuantize).quantized(std::numeric_limits<std::int64_t>::min(), 1).text();
  EXPECT_NE(low.find("-4611686018427387904 |@@@@"), std::string::npos) << low;
  const std::string high =
      Histogram(AggFunc::kQuantize).quantized(std::numeric_limits<std::int64_t>::max(), 1).text();
  EXPECT_NE(high.find("4611686018427387904 |@@@@"), std::string::npos) << high;
}

TEST(Histogram, WithoutDataTheBucketsAroundZeroAreShown) {
  EXPECT_EQ(Histogram(AggFunc::kQuantize).text(),
            "\n"
            "           value  ------------- Distribution ------------- count    \n"
            "              -1 |                                         0        \n"
            "               0 |                                         0        \n"
            "               1 |                                         0        \n");
}

TEST(Histogram, ZoomMakesTheLongestBarNearlyFull) {
  EXPECT_EQ(Histogram(AggFunc::kLquantize, linear_params(0, 2, 1))
                .linear(0, 10)
                .linear(1, 5)
                .linear(2, 85)
                .text(1, true),
            "\n"
            "           value  ------------- Distribution ------------- count    \n"
            "             < 0 |                                         0        \n"
            "               0 |@@@@                                     10       \n"
            "               1 |@@                                       5        \n"
            "            >= 2 |@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@   85       \n");
}

TEST(Histogram, NormalizingDividesTheCountsOnly) {
  EXPECT_EQ(Histogram(AggFunc::kLquantize, linear_params(0, 1, 1)).linear(0, 1000).text(10),
            "\n"
            "           value  ------------- Distribution ------------- count    \n"
            "             < 0 |                                         0        \n"
            "               0 |@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@ 100      \n"
            "            >= 1 |                                         0        \n");
}

}  // namespace
}  // namespace dt::consumer

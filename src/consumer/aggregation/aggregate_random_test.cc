// Random streams of values against arithmetic that does not overflow.

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <random>

#include "consumer/aggregation/aggregate.h"

namespace dt::consumer {
namespace {

using record::AggFunc;
__extension__ typedef __int128 Big;
__extension__ typedef unsigned __int128 BigUnsigned;

constexpr int kStreams = 20000;

// DT_SOAK=50 makes a million of them.
int streams() {
  const char* const times = std::getenv("DT_SOAK");
  return kStreams * (times == nullptr ? 1 : std::max(1, std::atoi(times)));
}

constexpr std::uint32_t kCpus = 4;

// What the probe code does to the words of one CPU.
void add_wide(std::uint64_t* words, BigUnsigned value) {
  const BigUnsigned sum = ((static_cast<BigUnsigned>(words[1]) << 64) | words[0]) + value;
  words[0] = static_cast<std::uint64_t>(sum);
  words[1] = static_cast<std::uint64_t>(sum >> 64);
}

void update(AggFunc func, std::uint64_t* words, std::int64_t value) {
  const auto bits = static_cast<std::uint64_t>(value);
  switch (func) {
    case AggFunc::kCount:
      words[0] += 1;
      return;
    case AggFunc::kSum:
      words[0] += bits;
      return;
    case AggFunc::kMin:
    case AggFunc::kMax:
      words[0] = std::max(words[0], bits ^ record::extreme_bias(func));
      return;
    default:
      words[0] += 1;
      add_wide(words + 1, static_cast<BigUnsigned>(static_cast<Big>(value)));
      if (func == AggFunc::kStddev) {
        add_wide(words + 3, static_cast<BigUnsigned>(static_cast<Big>(value) * value));
      }
      return;
  }
}

Big square_root(Big value) {
  Big root = 0;
  for (Big bit = Big{1} << 63; bit != 0; bit >>= 1) {
    if ((root + bit) * (root + bit) <= value) {
      root += bit;
    }
  }
  return root;
}

// Truncating, as everything that DTrace divides.
Big expected(AggFunc func, const std::vector<std::int64_t>& values, std::int64_t normal) {
  Big sum = 0;
  Big squares = 0;
  std::int64_t least = INT64_MAX;
  std::int64_t greatest = INT64_MIN;
  for (const std::int64_t value : values) {
    sum += value;
    squares += static_cast<Big>(value) * value;
    least = std::min(least, value);
    greatest = std::max(greatest, value);
  }
  const auto n = static_cast<Big>(values.size());
  switch (func) {
    case AggFunc::kCount:
      return n / normal;
    case AggFunc::kSum:
      return sum / normal;
    case AggFunc::kMin:
      return static_cast<Big>(least) / normal;
    case AggFunc::kMax:
      return static_cast<Big>(greatest) / normal;
    case AggFunc::kAvg:
      return sum / normal / n;
    default: {
      if (sum / n > 4096 || sum / n < -4096) {
        // Distances from a value near the average are small enough for their squares to be exact.
        const Big shift = sum / n;
        Big shifted_sum = 0;
        Big shifted_squares = 0;
        for (const std::int64_t value : values) {
          shifted_sum += value - shift;
          shifted_squares += (value - shift) * (value - shift);
        }
        // |shifted_sum| < n, so its square over n is small.
        const Big square = shifted_sum * shifted_sum;
        const Big exact = shifted_squares - square / n - (square % n != 0 ? 1 : 0);
        return square_root(exact / n / normal / normal);
      }
      const Big mean = sum / normal / n;
      const Big difference = squares / normal / normal / n - mean * mean;
      return difference <= 0 ? 0 : square_root(difference);
    }
  }
}

// Of every magnitude, so that sums cross each boundary; sums of more than 64
// bits only where the function can hold them.
std::int64_t random_value(std::mt19937_64& random, AggFunc func) {
  const unsigned most = func == AggFunc::kSum ? 56 : func == AggFunc::kStddev ? 60 : 63;
  const std::uint64_t bits = random() >> (64 - 1 - random() % most);
  const bool extreme = most == 63 && random() % 8 == 0;
  const std::uint64_t magnitude = extreme ? static_cast<std::uint64_t>(INT64_MAX) : bits;
  const auto value = static_cast<std::int64_t>(magnitude);
  return random() % 2 == 0 ? value : (extreme ? -value - 1 : -value);
}

TEST(AggregateRandom, ValuesAreThoseOfExactArithmetic) {
  std::mt19937_64 random(20);
  constexpr AggFunc kFunctions[] = {AggFunc::kCount, AggFunc::kSum, AggFunc::kAvg,
                                    AggFunc::kMin,   AggFunc::kMax, AggFunc::kStddev};
  for (int stream = 0; stream < streams(); ++stream) {
    const AggFunc func = kFunctions[static_cast<std::size_t>(stream) % std::size(kFunctions)];
    record::AggLayout layout;
    layout.func = func;
    layout.value_words = record::value_words(func, {});
    std::vector<std::uint64_t> words(std::size_t{layout.value_words} * kCpus);
    std::vector<std::int64_t> values(1 + random() % 48);
    Aggregate aggregate(layout);
    for (std::int64_t& value : values) {
      value = random_value(random, func);
      update(func, words.data() + random() % kCpus * layout.value_words, value);
      if (random() % 16 == 0) {  // a reading in between, as of a drained aggregation
        aggregate.merge({}, words);
        std::fill(words.begin(), words.end(), 0);
      }
    }
    aggregate.merge({}, words);
    std::int64_t normal = 1;
    if (random() % 2 == 0) {
      normal = static_cast<std::int64_t>(1 + random() % 1000);
      normal = random() % 4 == 0 ? -normal : normal;
    }
    ASSERT_EQ(aggregate.scalar(0, normal),
              static_cast<std::int64_t>(expected(func, values, normal)))
        << record::agg_func_name(func) << " of " << values.size() << " values, stream " << stream
        << ", normal " << normal;
  }
}

}  // namespace
}  // namespace dt::consumer

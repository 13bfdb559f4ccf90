// The buckets of quantize, lquantize and llquantize: which bucket a value falls
// into, and where a bucket begins. The code generator and the printer both
// follow these functions.

#include <algorithm>
#include <bit>
#include <limits>

#include "record/aggregation.h"
#include "support/check.h"

namespace dt::record {

namespace {

__extension__ typedef unsigned __int128 Wide;

// The highest power of a factor at least 2 that can matter: 2^64 is beyond
// every value, and 65535^63 is beyond 128 bits, so powers saturate below that.
constexpr Wide kBeyond = Wide{1} << 96;

// base * factor, or kBeyond.
Wide times(Wide base, std::uint32_t factor) {
  return base >= kBeyond / factor ? kBeyond : base * factor;
}

std::uint64_t saturate(Wide value) {
  constexpr Wide kMax = std::numeric_limits<std::uint64_t>::max();
  return static_cast<std::uint64_t>(std::min(value, kMax));
}

}  // namespace

std::uint32_t quantize_bucket(std::int64_t value) {
  if (value == 0) return kQuantizeZero;
  if (value > 0) {
    const auto log2 =
        static_cast<std::uint32_t>(std::bit_width(static_cast<std::uint64_t>(value)) - 1);
    return kQuantizeZero + 1 + log2;
  }
  // INT64_MIN's magnitude is 2^63; it shares the lowest bucket with -2^62.
  const std::uint64_t magnitude = std::uint64_t{0} - static_cast<std::uint64_t>(value);
  const auto log2 = static_cast<std::uint32_t>(std::bit_width(magnitude) - 1);
  return kQuantizeZero - 1 - std::min(log2, kQuantizeZero - 1);
}

std::int64_t quantize_value(std::uint32_t bucket) {
  DT_CHECK(bucket < kQuantizeBuckets, "bucket {}", bucket);
  if (bucket == kQuantizeZero) return 0;
  if (bucket > kQuantizeZero) return std::int64_t{1} << (bucket - kQuantizeZero - 1);
  return -(std::int64_t{1} << (kQuantizeZero - 1 - bucket));
}

std::uint32_t lquantize_levels(const AggParams& params) {
  if (params.step <= 0 || params.limit <= params.base) return 0;
  const std::uint64_t range =
      static_cast<std::uint64_t>(params.limit) - static_cast<std::uint64_t>(params.base);
  const std::uint64_t levels = range / static_cast<std::uint64_t>(params.step);
  constexpr std::uint64_t kMax = std::numeric_limits<std::uint32_t>::max() - 2;
  return static_cast<std::uint32_t>(std::min(levels, kMax));
}

std::uint32_t lquantize_bucket(const AggParams& params, std::int64_t value) {
  if (value < params.base) return 0;
  const std::uint32_t levels = lquantize_levels(params);
  if (levels == 0) return 1;
  const std::uint64_t distance =
      static_cast<std::uint64_t>(value) - static_cast<std::uint64_t>(params.base);
  const std::uint64_t level = distance / static_cast<std::uint64_t>(params.step);
  return level < levels ? static_cast<std::uint32_t>(level) + 1 : levels + 1;
}

std::vector<std::uint64_t> llquantize_boundaries(const AggParams& params) {
  std::vector<std::uint64_t> boundaries;
  if (params.factor < 2 || params.nsteps == 0) return boundaries;
  Wide value = 1;
  for (std::uint32_t i = 0; i < params.low; ++i) value = times(value, params.factor);
  // Beyond 64 bits no value falls, so no magnitude there gets buckets.
  for (std::uint32_t i = params.low; i <= params.high; ++i) {
    if (value > std::numeric_limits<std::uint64_t>::max()) break;
    const Wide next = times(value, params.factor);
    const Wide step = next > params.nsteps ? next / params.nsteps : 1;
    for (Wide at = value; at < next; at += step) {
      if (at > std::numeric_limits<std::uint64_t>::max()) break;
      boundaries.push_back(static_cast<std::uint64_t>(at));
    }
    value = next;
  }
  boundaries.push_back(saturate(value));
  return boundaries;
}

std::uint32_t llquantize_bucket(const std::vector<std::uint64_t>& boundaries, std::int64_t value) {
  if (value < 0) return 0;
  const auto after =
      std::upper_bound(boundaries.begin(), boundaries.end(), static_cast<std::uint64_t>(value));
  return static_cast<std::uint32_t>(after - boundaries.begin());
}

std::uint32_t value_words(AggFunc func, const AggParams& params) {
  switch (func) {
    case AggFunc::kCount:
    case AggFunc::kSum:
    case AggFunc::kMin:
    case AggFunc::kMax:
      return 1;
    case AggFunc::kAvg:
      return 3;
    case AggFunc::kStddev:
      return 5;
    case AggFunc::kQuantize:
      return kQuantizeBuckets;
    case AggFunc::kLquantize:
      return lquantize_levels(params) + 2;
    case AggFunc::kLlquantize:
      return static_cast<std::uint32_t>(llquantize_boundaries(params).size()) + 1;
  }
  DT_UNREACHABLE("aggregating function {}", static_cast<unsigned>(func));
}

}  // namespace dt::record

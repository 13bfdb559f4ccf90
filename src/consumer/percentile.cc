// A histogram knows of a value only its bucket. The end of the bucket is given, not its middle or
// its beginning, so that what is said is true: so many percent of the values are at most this.

#include "consumer/percentile.h"

#include <algorithm>
#include <limits>

#include "record/printf_format.h"
#include "support/check.h"

namespace dt::consumer {
namespace {

using record::AggFunc;
__extension__ typedef __int128 Sum;

// Where a bucket begins that follows the bucket `i`, less one.
std::int64_t end_of_linear(const record::AggParams& params, std::size_t i, std::size_t buckets) {
  const auto base = static_cast<std::uint64_t>(params.base);
  const auto step = static_cast<std::uint64_t>(params.step);
  if (i + 1 == buckets) {
    return static_cast<std::int64_t>(base + (i - 1) * step);
  }
  return static_cast<std::int64_t>(base + i * step - 1);
}

std::int64_t end_of_power(std::size_t i) {
  const auto bucket = static_cast<std::uint32_t>(i);
  if (bucket <= record::kQuantizeZero) {  // -2^n has the values from -2^(n+1) + 1 on
    return record::quantize_value(bucket);
  }
  return bucket + 1 == record::kQuantizeBuckets ? std::numeric_limits<std::int64_t>::max()
                                                : record::quantize_value(bucket + 1) - 1;
}

std::int64_t end_of_bucket(const record::AggLayout& layout, std::size_t i, std::size_t buckets) {
  switch (layout.func) {
    case AggFunc::kQuantize:
      return end_of_power(i);
    case AggFunc::kLquantize:
      return end_of_linear(layout.params, i, buckets);
    case AggFunc::kLlquantize: {
      const std::vector<std::uint64_t> bounds = record::llquantize_boundaries(layout.params);
      if (bounds.empty()) return 0;
      const std::size_t next = std::min(i, bounds.size() - 1);
      const std::uint64_t end = i + 1 == buckets ? bounds[next] : bounds[next] - 1;
      return static_cast<std::int64_t>(
          std::min(end, static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max())));
    }
    case AggFunc::kCount:
    case AggFunc::kSum:
    case AggFunc::kAvg:
    case AggFunc::kMin:
    case AggFunc::kMax:
    case AggFunc::kStddev:
      break;
  }
  DT_UNREACHABLE("aggregating function {}", static_cast<unsigned>(layout.func));
}

}  // namespace

std::int64_t percentile(const record::AggLayout& layout, Aggregate::Words words,
                        std::int32_t thousandths) {
  Sum all = 0;
  for (const std::uint64_t word : words) all += static_cast<std::int64_t>(word);
  if (all <= 0) return 0;
  const Sum whole = record::kWholePercentile;
  const Sum wanted = std::max<Sum>((all * thousandths + whole - 1) / whole, 1);
  Sum below = 0;
  for (std::size_t i = 0; i < words.size(); ++i) {
    below += static_cast<std::int64_t>(words[i]);
    if (below >= wanted) return end_of_bucket(layout, i, words.size());
  }
  DT_UNREACHABLE("a percentile {} above all", thousandths);
}

std::int64_t total(Aggregate::Words words) {
  std::uint64_t sum = 0;
  for (const std::uint64_t word : words) sum += word;
  return static_cast<std::int64_t>(sum);
}

}  // namespace dt::consumer

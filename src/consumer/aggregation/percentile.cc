// A histogram knows only the bucket of a value. The result is the end of the bucket, not its middle
// or its beginning, so that it is true that so many percent of the values are at most the result.

#include "consumer/aggregation/percentile.h"

#include <algorithm>

#include "record/bucket_bounds.h"
#include "record/printf_format.h"
#include "support/check.h"

namespace dt::consumer {
namespace {

__extension__ typedef __int128 Sum;

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
    if (below < wanted) continue;
    const bool is_open = i + 1 == words.size() && layout.func != record::AggFunc::kQuantize;
    const auto [low, high] = record::BucketBounds(layout).of(i);
    return is_open ? low : high;
  }
  DT_UNREACHABLE("a percentile {} above all", thousandths);
}

std::int64_t total(Aggregate::Words words) {
  std::uint64_t sum = 0;
  for (const std::uint64_t word : words) sum += word;
  return static_cast<std::int64_t>(sum);
}

}  // namespace dt::consumer

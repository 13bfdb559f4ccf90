// See bucket_bounds.h.

#include "record/bucket_bounds.h"

#include <algorithm>
#include <limits>

namespace dt::record {
namespace {

constexpr std::int64_t kLowest = std::numeric_limits<std::int64_t>::min();
constexpr std::int64_t kHighest = std::numeric_limits<std::int64_t>::max();

BucketBounds::Ends of_quantize(std::uint32_t bucket) {
  const std::int64_t begin = quantize_value(bucket);
  if (bucket < kQuantizeZero) {  // named by what is nearest to 0
    return {bucket == 0 ? kLowest : quantize_value(bucket - 1) + 1, begin};
  }
  return {begin, bucket + 1 == kQuantizeBuckets ? kHighest : quantize_value(bucket + 1) - 1};
}

}  // namespace

std::int64_t lquantize_edge(const AggParams& params, std::size_t index) {
  return static_cast<std::int64_t>(static_cast<std::uint64_t>(params.base) +
                                   index * static_cast<std::uint64_t>(params.step));
}

BucketBounds::BucketBounds(const AggLayout& layout) : layout_(layout) {
  if (layout.func == AggFunc::kLlquantize) boundaries_ = llquantize_boundaries(layout.params);
}

BucketBounds::Ends BucketBounds::of(std::size_t bucket) const {
  if (layout_.func == AggFunc::kQuantize) return of_quantize(static_cast<std::uint32_t>(bucket));
  // Bucket i is from edge i - 1 up to edge i.
  const bool is_last = bucket + 1 == layout_.value_words;
  return {bucket == 0 ? kLowest : edge(bucket - 1), is_last ? kHighest : before_edge(bucket)};
}

std::int64_t BucketBounds::edge(std::size_t index) const {
  if (layout_.func == AggFunc::kLquantize) return lquantize_edge(layout_.params, index);
  const std::uint64_t boundary = index < boundaries_.size() ? boundaries_[index] : 0;
  return static_cast<std::int64_t>(std::min(boundary, static_cast<std::uint64_t>(kHighest)));
}

// The last bucket of llquantize() may begin beyond 64 bits.
std::int64_t BucketBounds::before_edge(std::size_t index) const {
  const bool is_beyond =
      index < boundaries_.size() && boundaries_[index] > static_cast<std::uint64_t>(kHighest);
  return is_beyond ? kHighest : edge(index) - 1;
}

}  // namespace dt::record

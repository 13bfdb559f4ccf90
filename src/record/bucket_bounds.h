#pragma once
// Which values the buckets of a histogram hold.

#include <cstddef>
#include <cstdint>
#include <vector>

#include "record/aggregation.h"

namespace dt::record {

// Where the level `index` of an lquantize() begins; wraps, as a limit near the end of 64 bits may.
std::int64_t lquantize_edge(const AggParams& params, std::size_t index);

class BucketBounds {
 public:
  // `layout` is that of a quantize(), lquantize() or llquantize(), and must outlive this.
  explicit BucketBounds(const AggLayout& layout);

  // From the lowest to the highest value; where the bucket is open, the end of 64 bits.
  struct Ends {
    std::int64_t low = 0, high = 0;
  };
  Ends of(std::size_t bucket) const;

 private:
  std::int64_t edge(std::size_t index) const;
  std::int64_t before_edge(std::size_t index) const;

  const AggLayout& layout_;
  std::vector<std::uint64_t> boundaries_;  // of llquantize()
};

}  // namespace dt::record

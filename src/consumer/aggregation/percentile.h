#pragma once
// Percentiles of histograms.

#include <cstdint>

#include "consumer/aggregation/aggregate.h"

namespace dt::consumer {

// The largest value that the bucket of the percentile can hold: at least `thousandths` thousandths
// of a percent of the counts are in this bucket and those below it. A bucket without an end (">=
// limit") gives its beginning instead, and a histogram without counts 0. Counts that are negative,
// as quantize(x, -1) makes them, count as they are.
std::int64_t percentile(const record::AggLayout& layout, Aggregate::Words words,
                        std::int32_t thousandths);
// The sum of all buckets. It wraps, as counts do.
std::int64_t total(Aggregate::Words words);

}  // namespace dt::consumer

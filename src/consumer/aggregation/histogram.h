#pragma once
// The histograms of quantize(), lquantize() and llquantize(), to the blank:
//
//               value  ------------- Distribution ------------- count
//                  -1 |                                         0
//                   0 |@@@@@@@@@@                               1
//
// From one empty bucket before the first with data to one after the last. And
// packed (aggpack), one line for each key, from the first bucket with data of
// any key to one after the last; of lquantize(), always all buckets:
//
//          key  min .---. max  | count
//          100    0 :X_ : 2    | 100

#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>
#include <string_view>

#include "consumer/aggregation/aggregate.h"
#include "consumer/aggregation/bar.h"

namespace dt::consumer {

// Appends a newline, the header and the rows.
void append_histogram(std::string& out, const record::AggLayout& layout, Aggregate::Words words,
                      std::int64_t normal, BarStyle style);

// The header over bars, `what` right-justified in `columns`; and the bar, its
// count and the newline.
void append_bar_header(std::string& out, std::string_view what, std::size_t columns);
void append_bar_line(std::string& out, std::int64_t count, std::int64_t shown_count,
                     const BarScale& scale);

// What names a bucket in its row: "16", "< 0", ">= 100".
std::string bucket_label(const record::AggLayout& layout, std::size_t bucket);

// The buckets that packed histograms of one aggregation show.
struct BucketRange {
  std::size_t first = std::numeric_limits<std::size_t>::max();
  std::size_t last = 0;
  bool empty() const { return first > last; }
};
void widen(BucketRange& range, Aggregate::Words words);
// The labels of the first and the last one, and their columns.
struct PackedEnds {
  std::string low, high;
  std::size_t low_columns = 0, high_columns = 0;
};
PackedEnds packed_ends(const record::AggLayout& layout, BucketRange range);

// The header; and what follows the key of a row, without a newline.
void append_packed_header(std::string& out, BucketRange range, const PackedEnds& ends,
                          std::size_t key_columns);
void append_packed(std::string& out, const record::AggLayout& layout, Aggregate::Words words,
                   std::int64_t normal, BarStyle style, BucketRange range, const PackedEnds& ends);

}  // namespace dt::consumer

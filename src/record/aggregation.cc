// The offsets of the keys of aggregations, and the names of their functions.

#include "record/aggregation.h"

#include <algorithm>

#include "support/check.h"

namespace dt::record {

bool is_histogram(AggFunc func) {
  return func == AggFunc::kQuantize || func == AggFunc::kLquantize || func == AggFunc::kLlquantize;
}

const char* agg_func_name(AggFunc func) {
  switch (func) {
    case AggFunc::kCount:
      return "count";
    case AggFunc::kSum:
      return "sum";
    case AggFunc::kAvg:
      return "avg";
    case AggFunc::kMin:
      return "min";
    case AggFunc::kMax:
      return "max";
    case AggFunc::kStddev:
      return "stddev";
    case AggFunc::kQuantize:
      return "quantize";
    case AggFunc::kLquantize:
      return "lquantize";
    case AggFunc::kLlquantize:
      return "llquantize";
  }
  DT_UNREACHABLE("aggregating function {}", static_cast<unsigned>(func));
}

// Sums wrap as 64-bit numbers do. avg and stddev have a count and sums of 128 bits in two words,
// where the carry must not be lost. min and max are stored with a bias, such that both are a
// maximum of unsigned numbers, and 0 means "no value yet".
void add_words(AggFunc func, std::span<std::uint64_t> into, std::span<const std::uint64_t> from) {
  DT_CHECK(into.size() == from.size(), "{} words, {}", into.size(), from.size());
  switch (func) {
    case AggFunc::kMin:
    case AggFunc::kMax:
      into[0] = std::max(into[0], from[0]);
      return;
    case AggFunc::kAvg:
    case AggFunc::kStddev:
      into[0] += from[0];
      for (std::size_t i = 1; i + 1 < from.size(); i += 2) {
        into[i] += from[i];
        into[i + 1] += from[i + 1] + (into[i] < from[i] ? 1 : 0);
      }
      return;
    case AggFunc::kCount:
    case AggFunc::kSum:
    case AggFunc::kQuantize:
    case AggFunc::kLquantize:
    case AggFunc::kLlquantize:
      for (std::size_t i = 0; i < from.size(); ++i) {
        into[i] += from[i];
      }
      return;
  }
}

void place_keys(AggLayout& layout) { layout.key_bytes = place(layout.keys, 0); }

}  // namespace dt::record

#pragma once
// Aggregations: the layout of their keys and values in maps.

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "record/field.h"

namespace dt::record {

enum class AggFunc : std::uint8_t {
  kCount,
  kSum,
  kAvg,
  kMin,
  kMax,
  kStddev,
  kQuantize,
  kLquantize,
  kLlquantize,
};
const char* agg_func_name(AggFunc func);
// quantize(), lquantize() and llquantize().
bool is_histogram(AggFunc func);

// lquantize: base, limit, step. llquantize: factor, low, high, nsteps.
struct AggParams {
  std::int64_t base = 0, limit = 0, step = 1;
  std::uint32_t factor = 0, low = 0, high = 0, nsteps = 0;
  bool operator==(const AggParams&) const = default;
};

// An aggregation of the program, and the layout of its key and value in the map.
//
// Value words (u64 each), one set per CPU:
//   count:      [n]                      sum:    [sum]
//   avg:        [n][sum lo][sum hi]      min:    [min]        max: [max], biased
//   stddev:     [n][sum lo][sum hi][sumsq lo][sumsq hi]
//   quantize:   [127 buckets]            bucket 63 is value 0
//   lquantize:  [levels + 2 buckets]     underflow first, overflow last
//   llquantize: [n buckets]              underflow first, overflow last
// A keyless aggregation has one more word after these: non-zero once there is
// data (an aggregation that never fired is not printed). Words count as
// two's-complement 64-bit integers; buckets hold sums of increments. min and
// max are stored biased (see extreme_bias): the words of a CPU that never
// updated an element are zero, and must not take part in the comparison.
struct AggLayout {
  std::string name;  // without '@'; "_" for @
  AggFunc func = AggFunc::kCount;
  AggParams params;
  std::vector<Field> keys;        // offsets from the start of the key
  Span argument = {};             // what is aggregated, where it is first; of count() nothing
  std::uint32_t key_bytes = 0;    // padded to 8; 0 = keyless
  std::uint32_t value_words = 1;  // without the presence word
  bool drained = false;           // cleared or truncated by the script: see runtime/
};

void place_keys(AggLayout& layout);
// Adds the value words of one part of an element (of a CPU, or of an interval) to those of another.
void add_words(AggFunc func, std::span<std::uint64_t> into, std::span<const std::uint64_t> from);
std::uint32_t value_words(AggFunc func, const AggParams& params);

// The word that stores min or max: value ^ kMinBias or value ^ kMaxBias. In both
// the largest unsigned word wins, and 0, which fresh memory holds, is neutral;
// so an update is "raise the word to (value ^ bias)", and merging is a maximum.
constexpr std::uint64_t kMinBias = 0x7fffffffffffffffULL;
constexpr std::uint64_t kMaxBias = 0x8000000000000000ULL;
constexpr std::uint64_t extreme_bias(AggFunc func) {
  return func == AggFunc::kMin ? kMinBias : kMaxBias;
}

// The bucket tables, shared by the code generator and the printer.
constexpr std::uint32_t kQuantizeBuckets = 127;
constexpr std::uint32_t kQuantizeZero = 63;
std::uint32_t quantize_bucket(std::int64_t value);
// The value at which a quantize bucket begins.
std::int64_t quantize_value(std::uint32_t bucket);
std::uint32_t lquantize_levels(const AggParams& params);
std::uint32_t lquantize_bucket(const AggParams& params, std::int64_t value);
// Lower bounds of llquantize's buckets, ascending: word i+1 counts values from
// boundary i up to the next; word 0 is underflow, and the last boundary is
// where overflow (the last word) begins, UINT64_MAX when that is beyond 64 bits.
std::vector<std::uint64_t> llquantize_boundaries(const AggParams& params);
std::uint32_t llquantize_bucket(const std::vector<std::uint64_t>& boundaries, std::int64_t value);

}  // namespace dt::record

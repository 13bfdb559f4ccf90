// The consumer's copy of an aggregation, and the arithmetic of its values.

#include "consumer/aggregation/aggregate.h"

#include <algorithm>
#include <cstring>

#include "support/check.h"

namespace dt::consumer {
namespace {

using record::AggFunc;
__extension__ typedef unsigned __int128 Wide;

constexpr std::uint32_t kChunkBytes = (1U << 20) - 64;  // whole pages with what malloc() adds
constexpr std::size_t kFirstSlots = 16;

// Eight bytes at a time, each mixed by an odd constant and a shift, so that keys which differ in
// one byte only, as numbers that count up, are spread over the table.
std::uint64_t hash_bytes(Bytes bytes) {
  std::uint64_t hash = 0x9e3779b97f4a7c15ULL ^ bytes.size();
  for (std::size_t at = 0; at < bytes.size(); at += 8) {
    std::uint64_t word = 0;
    std::memcpy(&word, bytes.data() + at, std::min<std::size_t>(8, bytes.size() - at));
    hash = (hash ^ word) * 0xff51afd7ed558ccdULL;
    hash ^= hash >> 32;
  }
  return hash;
}

// Truncating division that does not trap on INT64_MIN / -1.
std::int64_t divide(std::int64_t value, std::int64_t by) {
  if (by == 0) {
    return 0;
  }
  if (by == -1) {
    return static_cast<std::int64_t>(std::uint64_t{0} - static_cast<std::uint64_t>(value));
  }
  return value / by;
}

std::uint64_t magnitude(std::int64_t value) {
  return value < 0 ? std::uint64_t{0} - static_cast<std::uint64_t>(value)
                   : static_cast<std::uint64_t>(value);
}

// The largest r with r * r <= value. Bit by bit from the top, which takes 64 steps whatever the
// value is; the floating-point square root has too few digits.
std::uint64_t square_root(Wide value) {
  std::uint64_t root = 0;
  for (int bit = 63; bit >= 0; --bit) {
    const std::uint64_t next = root | (1ULL << bit);
    if (static_cast<Wide>(next) * next <= value) {
      root = next;
    }
  }
  return root;
}

__extension__ typedef __int128 SignedWide;

Wide wide_at(Aggregate::Words words, std::size_t index) {
  return (static_cast<Wide>(words[index + 1]) << 64) | words[index];
}

// Truncating division of the 128-bit sum by n and the factor; it fits again
// wherever n values of 64 bits were added up.
SignedWide average(Aggregate::Words words, std::int64_t normal) {
  const auto n = static_cast<SignedWide>(words[0]);
  if (n == 0 || normal == 0) {
    return 0;
  }
  return static_cast<SignedWide>(wide_at(words, 1)) / normal / n;
}

// Up to here DTrace's own formula is used, which truncates the average before it squares it:
// scripts compare its results. The truncation costs at most sqrt(2 * average), so beyond it
// the result would have little to do with the values.
constexpr SignedWide kClassicalAverage = 4096;

// The sum of the squares of the distances from the average, without its fraction. The sum of
// the values is exact. That of their squares has wrapped where they are large (100 readings
// of walltimestamp are enough), but only the difference counts: with sum = q * n + r it is
//
//     squares - q * q * n - 2 * q * r - r * r / n      modulo 2^128
//
// and it is smaller than 2^128 unless values are spread over nearly all 64-bit numbers.
Wide squared_distances(Aggregate::Words words) {
  const Wide n = words[0];
  const SignedWide sum = static_cast<SignedWide>(wide_at(words, 1));
  const auto signed_n = static_cast<SignedWide>(n);
  SignedWide quotient = sum / signed_n;
  SignedWide rest = sum % signed_n;
  if (rest < 0) {
    --quotient;
    rest += signed_n;
  }
  const auto q = static_cast<Wide>(quotient);
  const auto r = static_cast<Wide>(rest);
  const Wide fraction = (r * r) / n + ((r * r) % n != 0 ? 1 : 0);
  return wide_at(words, 3) - q * q * n - 2 * q * r - fraction;
}

// The integer square root of (sum of squares / normal^2 / n) minus the square
// of the integer average, as DTrace computes it; of large values, of the exact variance.
std::int64_t standard_deviation(Aggregate::Words words, std::int64_t normal) {
  const std::uint64_t n = words[0];
  const std::uint64_t by = magnitude(normal);
  if (n == 0 || by == 0) {
    return 0;
  }
  const SignedWide exact_mean = average(words, 1);
  if (exact_mean > kClassicalAverage || exact_mean < -kClassicalAverage) {
    return static_cast<std::int64_t>(square_root(squared_distances(words) / n / by / by));
  }
  const Wide mean_of_squares = wide_at(words, 3) / by / by / n;
  const SignedWide mean = average(words, normal);
  const Wide distance = mean < 0 ? Wide{0} - static_cast<Wide>(mean) : static_cast<Wide>(mean);
  const Wide square_of_mean = distance * distance;
  if (mean_of_squares <= square_of_mean) {
    return 0;
  }
  return static_cast<std::int64_t>(square_root(mean_of_squares - square_of_mean));
}

}  // namespace

// Normalisation divides when a value is shown, never what is stored: denormalize() has to give the
// original back.
std::int64_t scalar_value(AggFunc func, Aggregate::Words words, std::int64_t normal) {
  switch (func) {
    case AggFunc::kMin:
    case AggFunc::kMax:
      return divide(static_cast<std::int64_t>(words[0] ^ record::extreme_bias(func)), normal);
    case AggFunc::kAvg:
      return static_cast<std::int64_t>(average(words, normal));
    case AggFunc::kStddev:
      return standard_deviation(words, normal);
    case AggFunc::kCount:
    case AggFunc::kSum:
    case AggFunc::kQuantize:
    case AggFunc::kLquantize:
    case AggFunc::kLlquantize:
      return divide(static_cast<std::int64_t>(words[0]), normal);
  }
  DT_UNREACHABLE("aggregating function {}", static_cast<unsigned>(func));
}

Aggregate::Aggregate(const record::AggLayout& layout)
    : layout_(layout),
      key_bytes_((layout.key_bytes + 7) / 8 * 8),
      element_bytes_(key_bytes_ + 8 * layout.value_words),
      per_chunk_(std::max(1U, kChunkBytes / std::max(1U, element_bytes_))) {}

std::uint8_t* Aggregate::at(std::uint32_t index) {
  return chunks_[index / per_chunk_].get() +
         static_cast<std::size_t>(index % per_chunk_) * element_bytes_;
}

const std::uint8_t* Aggregate::at(std::uint32_t index) const {
  return chunks_[index / per_chunk_].get() +
         static_cast<std::size_t>(index % per_chunk_) * element_bytes_;
}

Bytes Aggregate::key(std::uint32_t index) const { return {at(index), layout_.key_bytes}; }

Aggregate::Words Aggregate::words(std::uint32_t index) const {
  // Elements are multiples of 8 bytes in chunks from operator new: aligned.
  return {reinterpret_cast<const std::uint64_t*>(at(index) + key_bytes_), layout_.value_words};
}

// The slot that holds `key`, or the free one where it would go.
// Open addressing with linear probing. There are no deletions from the table: trunc() builds it
// anew. The free slot that ends the search exists, as a third of the slots is free.
std::size_t Aggregate::slot_of(Bytes key) const {
  const std::size_t mask = table_.size() - 1;
  std::size_t slot = static_cast<std::size_t>(hash_bytes(key)) & mask;
  while (table_[slot] != 0) {
    const std::uint8_t* element = at(table_[slot] - 1);
    if (key.empty() || std::memcmp(element, key.data(), key.size()) == 0) {
      break;
    }
    slot = (slot + 1) & mask;
  }
  return slot;
}

// At most two thirds full.
std::size_t Aggregate::slots_for(std::size_t count) const {
  std::size_t slots = std::max(kFirstSlots, table_.size());
  while (count * 3 > slots * 2) {
    slots *= 2;
  }
  return slots;
}

void Aggregate::rehash(std::size_t slots) const {
  table_.assign(slots, 0);
  for (std::uint32_t i = 0; i < count_; ++i) {
    table_[slot_of(key(i))] = i + 1;
  }
}

std::uint32_t Aggregate::find(Bytes key) const {
  if (count_ == 0 || key.size() != layout_.key_bytes) {
    return kNone;
  }
  if (table_.empty()) {
    rehash(slots_for(count_));
  }
  const std::uint32_t found = table_[slot_of(key)];
  return found == 0 ? kNone : found - 1;
}

std::uint32_t Aggregate::insert(Bytes key) {
  if (const std::size_t slots = slots_for(std::size_t{count_} + 1); slots != table_.size()) {
    rehash(slots);
  }
  const std::size_t slot = slot_of(key);
  if (table_[slot] != 0) {
    return table_[slot] - 1;
  }
  const std::uint32_t index = count_++;
  if (index / per_chunk_ == chunks_.size()) {
    // Not zeroed: a page that holds no element is never touched.
    chunks_.push_back(std::make_unique_for_overwrite<std::uint8_t[]>(
        static_cast<std::size_t>(per_chunk_) * element_bytes_));
  }
  std::uint8_t* element = at(index);
  std::memset(element, 0, element_bytes_);
  if (!key.empty()) {
    std::memcpy(element, key.data(), key.size());
  }
  table_[slot] = index + 1;
  return index;
}

void Aggregate::merge(Bytes key, Words words) {
  const std::uint32_t group = layout_.value_words;
  if (key.size() != layout_.key_bytes || group == 0 || words.size() % group != 0) {
    return;
  }
  const std::uint32_t index = insert(key);
  if (index < cleared_.size()) {
    cleared_[index] = false;
  }
  auto* into = reinterpret_cast<std::uint64_t*>(at(index) + key_bytes_);
  for (std::size_t cpu = 0; cpu < words.size(); cpu += group) {
    record::add_words(layout_.func, {into, group}, words.subspan(cpu, group));
  }
}

// The keys stay, with values of 0, as DTrace has it; trunc() removes keys.
void Aggregate::clear() {
  for (std::uint32_t i = 0; i < count_; ++i) {
    std::memset(at(i) + key_bytes_, 0, element_bytes_ - key_bytes_);
  }
  cleared_.assign(count_, true);
}

void Aggregate::keep(std::span<const std::uint32_t> indices) {
  std::vector<std::uint32_t> kept(indices.begin(), indices.end());
  std::sort(kept.begin(), kept.end());
  std::vector<bool> cleared;
  // Ascending, so an element only ever moves towards the front.
  for (std::uint32_t to = 0; to < kept.size(); ++to) {
    cleared.push_back(is_cleared(kept[to]));
    if (to != kept[to]) {
      std::memcpy(at(to), at(kept[to]), element_bytes_);
    }
  }
  count_ = static_cast<std::uint32_t>(kept.size());
  cleared_ = std::move(cleared);
  chunks_.resize((count_ + per_chunk_ - 1) / per_chunk_);
  table_.clear();
  rehash(slots_for(std::size_t{count_} + 1));
}

void Aggregate::reset() {
  count_ = 0;
  chunks_.clear();
  table_.clear();
  cleared_.clear();
}

std::int64_t Aggregate::scalar(std::uint32_t index, std::int64_t by) const {
  return is_cleared(index) ? 0 : scalar_value(layout_.func, words(index), by);
}

// normalize() divides, and so does the average; neither is rounded here.
Quotient Aggregate::quotient(std::uint32_t index, std::int64_t by) const {
  if (is_cleared(index) || by == 0) {
    return {};
  }
  Quotient result;
  const Words all = words(index);
  if (layout_.func == AggFunc::kAvg) {
    result.numerator = static_cast<SignedWide>(wide_at(all, 1));
    divide_by(result, all[0]);
  } else {
    result.numerator = scalar_value(layout_.func, all, 1);
  }
  divide_by(result, magnitude(by));
  if (by < 0) {
    result.numerator = -result.numerator;
  }
  return result;
}

namespace {

// What a histogram is ordered by, as DTrace defines it: by the sum of bucket * count, and where two
// are equal, by the count at zero.
struct Weight {
  long double sum = 0;
  std::int64_t zero = 0;
  bool operator<(const Weight& other) const {
    return sum < other.sum || (!(other.sum < sum) && zero < other.zero);
  }
};

// The values for which the buckets of a histogram stand in its weight: the bucket's lower end; for
// the bucket below the lowest one, one less than that.
std::vector<long double> bucket_values(const record::AggLayout& layout) {
  std::vector<long double> values(layout.value_words);
  if (layout.func == AggFunc::kQuantize) {
    for (std::uint32_t i = 0; i < std::min(layout.value_words, record::kQuantizeBuckets); ++i) {
      values[i] = static_cast<long double>(record::quantize_value(i));
    }
  } else if (layout.func == AggFunc::kLquantize) {
    const auto base = static_cast<long double>(layout.params.base);
    const auto step = static_cast<long double>(layout.params.step);
    for (std::size_t i = 0; i < values.size(); ++i) {
      values[i] = i == 0 ? base - 1 : base + static_cast<long double>(i - 1) * step;
    }
  } else {
    const std::vector<std::uint64_t> bounds = record::llquantize_boundaries(layout.params);
    for (std::size_t i = 0; i < values.size() && i <= bounds.size() && !bounds.empty(); ++i) {
      values[i] = i == 0 ? static_cast<long double>(bounds[0]) - 1
                         : static_cast<long double>(bounds[i - 1]);
    }
  }
  return values;
}

Weight weigh(const std::vector<long double>& values, Aggregate::Words words) {
  Weight weight;
  for (std::size_t i = 0; i < words.size(); ++i) {
    const auto count = static_cast<std::int64_t>(words[i]);
    weight.sum += static_cast<long double>(count) * values[i];
    if (values[i] == 0) {
      weight.zero = count;
    }
  }
  return weight;
}

}  // namespace

ValueOrder::ValueOrder(const Aggregate& aggregate) : aggregate_(&aggregate) {
  const record::AggLayout& layout = aggregate.layout();
  if (!record::is_histogram(layout.func)) {
    return;
  }
  ranks_.resize(static_cast<std::size_t>(aggregate.size()) + 1);
  const std::vector<long double> values = bucket_values(layout);
  std::vector<std::pair<Weight, std::size_t>> order(ranks_.size());
  for (std::uint32_t i = 0; i < aggregate.size(); ++i) {
    order[i] = {weigh(values, aggregate.words(i)), i};
  }
  order.back().second = aggregate.size();
  std::sort(order.begin(), order.end(),
            [](const auto& a, const auto& b) { return a.first < b.first; });
  std::int64_t rank = 0;
  for (std::size_t i = 0; i < order.size(); ++i) {
    rank += i > 0 && order[i - 1].first < order[i].first ? 1 : 0;
    ranks_[order[i].second] = rank;
  }
}

std::int64_t ValueOrder::of(std::uint32_t element) const {
  const bool is_missing = element == Aggregate::kNone;
  if (!ranks_.empty()) {
    return is_missing ? ranks_.back() : ranks_[element];
  }
  return is_missing ? 0 : aggregate_->scalar(element, 1);
}

}  // namespace dt::consumer

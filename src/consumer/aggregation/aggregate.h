#pragma once
// One aggregation as the consumer holds it: what was read, merged over CPUs.
//
// Elements are stored one after another in chunks, key then value words, with an
// open-addressing table of 32-bit indices beside them, which goes while they are
// put in order; so a million keys cost little more than their bytes.

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "consumer/value/fixed.h"
#include "consumer/value/text.h"
#include "record/aggregation.h"

namespace dt::consumer {

class Aggregate {
 public:
  static constexpr std::uint32_t kNone = 0xffffffffU;
  using Words = std::span<const std::uint64_t>;

  explicit Aggregate(const record::AggLayout& layout);

  // Adds the words of one element, one group per CPU. `key` is layout.key_bytes
  // long; `words` is a multiple of layout.value_words.
  void merge(Bytes key, Words words);

  std::uint32_t size() const { return count_; }
  Bytes key(std::uint32_t index) const;
  Words words(std::uint32_t index) const;
  std::uint32_t find(Bytes key) const;

  // clear(): the keys stay, the values become 0.
  void clear();
  // trunc(): only these elements stay.
  void keep(std::span<const std::uint32_t> indices);
  void reset();
  // Frees the table in which find() and merge() look keys up; the next one of them makes it again.
  void forget_index() { table_ = std::vector<std::uint32_t>(); }

  // The element's single number (count, sum, avg, min, max, stddev), divided
  // by `normal`; 0 for an element that was cleared and not updated since.
  std::int64_t scalar(std::uint32_t index, std::int64_t normal) const;
  // The same with what is behind its point.
  Quotient quotient(std::uint32_t index, std::int64_t normal) const;

  const record::AggLayout& layout() const { return layout_; }

  std::int64_t normal = 1;
  bool printed = false;  // by printa(): not printed again at the end

 private:
  std::uint8_t* at(std::uint32_t index);
  const std::uint8_t* at(std::uint32_t index) const;
  std::uint32_t insert(Bytes key);
  void rehash(std::size_t slots) const;
  std::size_t slots_for(std::size_t count) const;
  std::size_t slot_of(Bytes key) const;
  bool is_cleared(std::uint32_t index) const { return index < cleared_.size() && cleared_[index]; }

  const record::AggLayout& layout_;
  std::uint32_t key_bytes_;
  std::uint32_t element_bytes_;
  std::uint32_t per_chunk_;
  std::uint32_t count_ = 0;
  std::vector<std::unique_ptr<std::uint8_t[]>> chunks_;
  mutable std::vector<std::uint32_t> table_;  // index + 1; 0 = free; empty: to be made
  std::vector<bool> cleared_;                 // only after clear()
};

// sum / normal / n and so on, from an element's words.
std::int64_t scalar_value(record::AggFunc func, Aggregate::Words words, std::int64_t normal);

// Numbers in the order of the elements' values. Scalars are ordered by value;
// histograms by the sum of counts times bucket values, then by the count of the
// bucket of 0.
class ValueOrder {
 public:
  explicit ValueOrder(const Aggregate& aggregate);
  // The value of an element; for kNone, that of an element with the value 0.
  std::int64_t of(std::uint32_t element) const;

 private:
  const Aggregate* aggregate_;
  std::vector<std::int64_t> ranks_;  // of histograms, and last that of kNone
};

}  // namespace dt::consumer

#pragma once
// Elements of an aggregation that were taken out of its map.

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "record/aggregation.h"
#include "record/aggregation_source.h"

namespace dt::runtime {

// The consumer merges the elements that each() gives it. TakenElements itself merges equal keys
// only to bound its memory: when it holds twice as many elements as after the last merge.
class TakenElements {
 public:
  // `layout` must outlive this.
  explicit TakenElements(const record::AggLayout& layout) : layout_(layout) {}

  void add(std::span<const std::uint8_t> key, std::uint16_t cpu,
           std::span<const std::uint64_t> words);
  void each(const record::AggregationSource::Visit& visit) const;
  void clear();

 private:
  std::span<const std::uint8_t> key(std::size_t element) const;
  std::span<const std::uint64_t> words(std::size_t element) const;
  void merge();

  const record::AggLayout& layout_;
  // By element, as they came.
  std::vector<std::uint16_t> cpus_;
  std::vector<std::uint8_t> keys_;
  std::vector<std::uint64_t> words_;
  std::size_t merged_ = 0;  // the number of elements after the last merge()
};

}  // namespace dt::runtime

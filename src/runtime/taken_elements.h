#pragma once
// Elements of an aggregation that were taken out of its map.

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "record/aggregation.h"
#include "record/aggregation_source.h"

namespace dt::runtime {

// Who is given the elements merges them by key. So they are merged here only when they have become
// twice as many as there were keys: mostly they are given away before.
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
  std::size_t merged_ = 0;  // how many they were when they were merged last
};

}  // namespace dt::runtime

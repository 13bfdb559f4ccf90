#pragma once
// Elements of an aggregation that were taken out of its map, merged by key and CPU.

#include <cstdint>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

#include "record/aggregation.h"
#include "record/aggregation_source.h"

namespace dt::runtime {

class TakenElements {
 public:
  // `layout` must outlive this.
  explicit TakenElements(const record::AggLayout& layout) : layout_(layout) {}

  void add(std::span<const std::uint8_t> key, std::uint16_t cpu,
           std::span<const std::uint64_t> words);
  void each(const record::AggregationSource::Visit& visit) const;
  void clear();

 private:
  const record::AggLayout& layout_;
  // By the key and, behind it, the CPU: where its words begin.
  std::unordered_map<std::string, std::size_t> at_;
  std::vector<std::uint64_t> words_;
};

}  // namespace dt::runtime

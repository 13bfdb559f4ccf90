#pragma once
// Aggregations that a printa() shows beside others, line by line. All that one firing adds to them
// must be in one generation (control.h), so that a line is of one moment: programs read the
// generation once in a firing. Without keys, such an aggregation has a value for each generation,
// one behind the other.

#include <cstdint>
#include <vector>

#include "record/action.h"
#include "record/aggregation.h"
#include "record/layout.h"

namespace dt::bpf {

// By aggregation. Only drained ones have generations that are read alone.
class Joined {
 public:
  void add(const std::vector<record::AggLayout>& aggregations,
           const std::vector<record::Layout>& layouts) {
    for (const record::Layout& layout : layouts) {
      for (const record::Action& action : layout.actions) {
        if (action.kind != record::ActionKind::kPrinta || action.aggregations.size() < 2) continue;
        is_joined_.resize(aggregations.size());
        distances_.resize(aggregations.size());
        for (const std::uint32_t i : action.aggregations) {
          const record::AggLayout& one = aggregations[i];
          is_joined_[i] = one.drained;
          distances_[i] = one.drained && one.key_bytes == 0 ? (one.value_words + 1) * 8 : 0;
        }
      }
    }
  }
  bool any() const { return !is_joined_.empty(); }
  bool operator[](std::uint32_t aggregation) const { return any() && is_joined_[aggregation]; }
  // Bytes between its values of two generations, without keys; 0 where there is one value.
  std::uint32_t distance(std::uint32_t aggregation) const {
    return any() ? distances_[aggregation] : 0;
  }

 private:
  std::vector<bool> is_joined_;  // both empty where there is none
  std::vector<std::uint32_t> distances_;
};

}  // namespace dt::bpf

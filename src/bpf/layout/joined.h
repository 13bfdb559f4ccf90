#pragma once
// Aggregations that a printa() shows beside others, line by line. All that one firing adds to them
// must be in one generation (control.h), so that a line is of one moment: programs read the
// generation once in a firing. Without keys, such an aggregation has a value for each generation,
// one behind the other.

#include <cstdint>
#include <vector>

namespace dt::record {
struct AggLayout;
struct Layout;
}  // namespace dt::record

namespace dt::bpf {

// By aggregation. Only drained ones have generations that are read alone.
class Joined {
 public:
  void add(const std::vector<record::AggLayout>& aggregations,
           const std::vector<record::Layout>& layouts);
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

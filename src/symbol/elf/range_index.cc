// See range_index.h.

#include "symbol/elf/range_index.h"

#include <algorithm>

namespace dt::symbol {

void RangeIndex::add(std::uint64_t begin, std::uint64_t end, std::uint32_t value) {
  if (begin < end && ranges_.size() < kNone) ranges_.push_back({begin, end, value, kNone});
}

// Ranges may be nested: sorted by their beginning, the longer first, the stack `open` has all
// ranges that contain the next one. find() begins at the last range that begins at or before the
// address, and goes outwards until one contains it.
void RangeIndex::order() {
  std::stable_sort(ranges_.begin(), ranges_.end(), [](const Range& a, const Range& b) {
    return a.begin != b.begin ? a.begin < b.begin : a.end > b.end;
  });
  std::vector<std::uint32_t> open;
  for (std::uint32_t i = 0; i < ranges_.size(); ++i) {
    while (!open.empty() && ranges_[open.back()].end <= ranges_[i].begin) open.pop_back();
    ranges_[i].outer = open.empty() ? kNone : open.back();
    open.push_back(i);
  }
  ranges_.shrink_to_fit();
}

std::optional<std::uint32_t> RangeIndex::find(std::uint64_t address) const {
  const auto after =
      std::upper_bound(ranges_.begin(), ranges_.end(), address,
                       [](std::uint64_t value, const Range& one) { return value < one.begin; });
  auto at = static_cast<std::uint32_t>(after - ranges_.begin());
  for (at = at == 0 ? kNone : at - 1; at != kNone; at = ranges_[at].outer) {
    if (address < ranges_[at].end) return ranges_[at].value;
  }
  return std::nullopt;
}

}  // namespace dt::symbol

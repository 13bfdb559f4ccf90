// See similar.h.

#include "stap/syntax/similar.h"

#include <fmt/core.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <numeric>
#include <utility>

namespace dt::stap {

std::size_t name_distance(std::string_view a, std::string_view b) {
  constexpr std::size_t kChange = 2;
  // The distances of the first characters of `a` from the first j characters of `b`.
  std::vector<std::size_t> row(b.size() + 1);
  std::iota(row.begin(), row.end(), 0);
  for (std::size_t i = 1; i <= a.size(); ++i) {
    std::size_t diagonal = std::exchange(row[0], i);
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t replaced = diagonal + (a[i - 1] == b[j - 1] ? 0 : kChange);
      diagonal = row[j];
      row[j] = std::min({replaced, row[j] + kChange, row[j - 1] + kChange});
    }
  }
  return row.back();
}

std::vector<std::string_view> similar_names(std::string_view name,
                                            std::vector<std::string_view> candidates,
                                            std::size_t farthest) {
  constexpr std::size_t kLongest = 256;  // what is compared of a name
  name = name.substr(0, kLongest);
  std::vector<std::pair<std::size_t, std::string_view>> all;
  all.reserve(candidates.size());
  for (const std::string_view one : candidates) {
    const std::size_t distance = name_distance(name, one.substr(0, kLongest));
    if (distance <= farthest) all.emplace_back(distance, one);
  }
  std::sort(all.begin(), all.end());
  all.erase(std::unique(all.begin(), all.end()), all.end());
  std::vector<std::string_view> out;
  for (std::size_t i = 0; i < std::min(all.size(), kMostSimilar); ++i) out.push_back(all[i].second);
  return out;
}

std::string similar(std::string_view name, std::vector<std::string_view> candidates,
                    std::size_t farthest) {
  const std::vector<std::string_view> near = similar_names(name, std::move(candidates), farthest);
  return near.empty() ? "" : fmt::format(" (similar: {})", fmt::join(near, ", "));
}

}  // namespace dt::stap

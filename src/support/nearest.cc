#include "support/nearest.h"

#include <fmt/core.h>

#include <algorithm>

namespace dt::support {
namespace {

constexpr std::size_t kLongest = 128;

}  // namespace

std::size_t edit_distance(std::string_view a, std::string_view b, std::size_t limit) {
  if (std::max(a.size(), b.size()) - std::min(a.size(), b.size()) > limit) return limit + 1;
  if (a.size() > kLongest || b.size() > kLongest) return a == b ? 0 : limit + 1;
  // Three rows of the table of the edit distance (Damerau-Levenshtein with adjacent swaps only):
  // the one being made, and two before it. Entry (i, j) is the distance of the first i letters of
  // `a` from the first j of `b`, and depends on its neighbours to the left and above; a swap looks
  // two back.
  std::vector<std::size_t> before(b.size() + 1), last(b.size() + 1), row(b.size() + 1);
  for (std::size_t j = 0; j <= b.size(); ++j) last[j] = j;
  std::size_t least = 0;  // of the last row
  for (std::size_t i = 1; i <= a.size(); ++i) {
    row[0] = i;
    std::size_t least_of_row = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t replace = last[j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1);
      row[j] = std::min({replace, last[j] + 1, row[j - 1] + 1});
      // Two letters that changed places are one slip.
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1]) {
        row[j] = std::min(row[j], before[j - 2] + 1);
      }
      least_of_row = std::min(least_of_row, row[j]);
    }
    // What follows is made of these two rows: if neither has an entry within the limit, no later
    // row can have one, as distances never become smaller downwards.
    if (least > limit && least_of_row > limit) return limit + 1;
    least = least_of_row;
    before.swap(last);
    last.swap(row);
  }
  return last[b.size()];
}

std::string nearest(std::string_view name, const std::vector<std::string_view>& candidates) {
  const std::size_t limit = std::clamp<std::size_t>(name.size() / 3, 1, 3);
  std::size_t best = limit + 1;
  std::string_view found;
  for (const std::string_view candidate : candidates) {
    if (candidate == name) continue;
    const std::size_t distance = edit_distance(name, candidate, best - 1);
    if (distance < best) {
      best = distance;
      found = candidate;
    }
  }
  return std::string(found);
}

std::string did_you_mean(std::string_view meant) {
  return meant.empty() ? std::string() : fmt::format("did you mean '{}'?", meant);
}

}  // namespace dt::support

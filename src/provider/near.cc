#include "provider/near.h"

#include <algorithm>

namespace dt::provider {
namespace {

constexpr std::size_t kFar = 1000;     // not near at all
constexpr std::size_t kLongest = 128;  // texts beyond this are not compared

// A third of a name may be wrong, and at least one letter.
std::size_t tolerance(std::string_view wanted) {
  return std::max<std::size_t>(1, wanted.size() / 3);
}

}  // namespace

std::size_t edit_distance(std::string_view a, std::string_view b, std::size_t limit) {
  if (std::max(a.size(), b.size()) - std::min(a.size(), b.size()) > limit) return limit + 1;
  if (a.size() > kLongest || b.size() > kLongest) return a == b ? 0 : limit + 1;
  // Three rows of the table: the one being made, and two before it.
  std::vector<std::size_t> before, last(b.size() + 1), row(b.size() + 1);
  for (std::size_t j = 0; j <= b.size(); ++j) last[j] = j;
  for (std::size_t i = 1; i <= a.size(); ++i) {
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t replace = last[j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1);
      row[j] = std::min({replace, last[j] + 1, row[j - 1] + 1});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1]) {
        row[j] = std::min(row[j], before[j - 2] + 1);
      }
    }
    before = last;
    last = row;
  }
  return last[b.size()];
}

std::size_t Suggestions::field_distance(const std::string& wanted, const std::string& has,
                                        Distances& known) {
  if (wanted.empty()) return 0;
  if (!probe::is_literal(wanted)) return probe::glob_match(wanted, has) ? 0 : kFar;
  const auto [at, is_new] = known.try_emplace(has, 0);
  if (is_new) {
    const std::size_t limit = tolerance(wanted);
    const std::size_t distance = edit_distance(wanted, has, limit);
    at->second = distance > limit ? kFar : distance;
  }
  return at->second;
}

void Suggestions::consider(const probe::Description& d) {
  const std::string* const wanted[] = {&pattern_.provider, &pattern_.module, &pattern_.function,
                                       &pattern_.name};
  const std::string* const has[] = {&d.provider, &d.module, &d.function, &d.name};
  std::size_t distance = 0;
  for (std::size_t i = 0; i < 4 && distance < kFar; ++i) {
    distance += field_distance(*wanted[i], *has[i], known_[i]);
  }
  if (distance >= kFar) return;
  probe::Description shown;
  if (!pattern_.provider.empty()) shown.provider = d.provider;
  if (!pattern_.module.empty()) shown.module = d.module;
  if (!pattern_.function.empty()) shown.function = d.function;
  if (!pattern_.name.empty()) shown.name = d.name;
  for (const Near& other : near_) {
    if (other.description == shown) return;
  }
  near_.push_back({distance, std::move(shown)});
}

std::vector<probe::Description> Suggestions::best(std::size_t count) const {
  std::vector<Near> sorted = near_;
  std::stable_sort(sorted.begin(), sorted.end(),
                   [](const Near& a, const Near& b) { return a.distance < b.distance; });
  std::vector<probe::Description> descriptions;
  for (std::size_t i = 0; i < sorted.size() && i < count; ++i) {
    descriptions.push_back(std::move(sorted[i].description));
  }
  return descriptions;
}

}  // namespace dt::provider

#include "provider/near.h"

#include <algorithm>

#include "support/nearest.h"

namespace dt::provider {
namespace {

constexpr std::size_t kFar = 1000;  // not near at all
// Beyond this nothing is suggested: a field is compared with those of 80,000 probes.
constexpr std::size_t kLongest = 1024;

// A third of a name may be wrong, and at least one letter.
std::size_t tolerance(std::string_view wanted) {
  return std::max<std::size_t>(1, wanted.size() / 3);
}

}  // namespace

std::size_t Suggestions::field_distance(const std::string& wanted, const std::string& has,
                                        Distances& known) {
  if (wanted.empty()) return 0;
  if (wanted.size() > kLongest) return kFar;
  if (!probe::is_literal(wanted)) return probe::glob_match(wanted, has) ? 0 : kFar;
  const auto [at, is_new] = known.try_emplace(has, 0);
  if (is_new) {
    const std::size_t limit = tolerance(wanted);
    const std::size_t distance = support::edit_distance(wanted, has, limit);
    // Of a single letter, another one and none at all are as near as all others.
    at->second = distance > limit || distance >= wanted.size() ? kFar : distance;
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

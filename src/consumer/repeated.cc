// See repeated.h.

#include "consumer/repeated.h"

#include <fmt/core.h>

namespace dt::consumer {

bool RepeatedFaults::is_first(const Place& place, std::string_view text) {
  const auto [found, is_new] = places_.try_emplace(place);
  if (is_new) return true;
  ++found->second.count;
  found->second.text = text;
  return false;
}

void RepeatedFaults::report(const std::function<void(std::string_view)>& say) {
  for (auto& [place, more] : places_) {
    if (more.count == 1) {
      say(more.text);
    } else if (more.count > 1) {
      say(fmt::format("{}: {} more times", more.text, more.count));
    }
    more.count = 0;
  }
}

}  // namespace dt::consumer

// See absent_points.h.

#include "stap/events/absent_points.h"

#include <fmt/core.h>
#include <fmt/ranges.h>

#include <map>
#include <set>

#include "stap/meaning/handlers.h"

namespace dt::stap {

// The number of the pattern of aliases that has made the handler; 0: none has.
std::uint32_t pattern_of(const Handler& handler) {
  for (const Handler::Choice& choice : handler.choices) {
    if (choice.point == kOfPattern && !handler.alias.empty()) return choice.list;
  }
  return 0;
}

void report_absent(const front::World& world, const Event& event, Messages& messages) {
  const auto refusal = world.probes.refusal(event.pattern);
  std::string text = refusal ? refusal->text : "no match";
  std::string similar;
  constexpr std::size_t kMost = 3;
  for (const auto& one : world.probes.near(event.pattern, refusal ? 0 : kMost)) {
    const bool is_named = one.provider == event.pattern.provider;
    const std::string& name = event.pattern.function.empty() ? one.name : one.function;
    if (is_named) similar += fmt::format("{}{}", similar.empty() ? "" : ", ", name);
  }
  if (!similar.empty()) text += fmt::format(" (similar: {})", similar);
  const std::string hint = refusal ? refusal->hint : world.probes.why_not(event.pattern);
  messages.point_error(text, event.span, std::nullopt, hint);
}

std::vector<std::string> left_out_points(const front::World& world,
                                         const std::vector<const Handler*>& absent) {
  std::map<std::string, std::set<std::string>> names;  // by why they are not there
  for (const Handler* const one : absent) {
    if (pattern_of(*one) == 0) continue;
    const auto refusal = world.probes.refusal(one->events.front().pattern);
    std::string why = refusal ? refusal->text : world.probes.why_not(one->events.front().pattern);
    // What each way to trace functions has said is for those who name one.
    why = why.substr(0, why.find(": "));
    names[why.empty() ? "this kernel has no such probe" : why].insert(one->alias);
  }
  std::vector<std::string> out;
  for (const auto& [why, all] : names)
    out.push_back(fmt::format("{}: {}", fmt::join(all, ", "), why));
  return out;
}

}  // namespace dt::stap

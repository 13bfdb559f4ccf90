// See absent_points.h.

#include "stap/events/absent_points.h"

#include <fmt/core.h>
#include <fmt/ranges.h>

#include <map>
#include <set>
#include <vector>

#include "stap/events/function_events.h"
#include "stap/meaning/handlers.h"

namespace dt::stap {
namespace {

bool is_one_function(const Event& event) {
  const probe::Pattern& of = event.pattern;
  return (event.kind == EventKind::kFunctionEntry || event.kind == EventKind::kFunctionReturn) &&
         of.provider == "fbt" && of.module == "vmlinux" &&
         of.function.find_first_of("*?[{") == std::string::npos;
}

// Of a function of the kernel: what a script can name instead, beside why it is not there.
std::string hint_of(const front::World& world, const Event& event) {
  std::string why = world.probes.why_not(event.pattern);
  if (!is_one_function(event)) return why;
  const std::string& function = event.pattern.function;
  const bool is_known = has_function(world.types, function);
  std::vector<std::string> parts;
  if (!is_known) parts.push_back(fmt::format("this kernel has no function '{}'", function));
  const std::string now = new_name_of(function);
  if (!is_known && !now.empty() && has_function(world.types, now)) {
    parts.push_back(fmt::format("it is '{}' here", now));
  }
  const std::string same = hint_of_function(function, event.kind == EventKind::kFunctionReturn);
  if (!same.empty()) parts.push_back(same);
  if (!why.empty()) parts.push_back(std::move(why));
  return fmt::format("{}", fmt::join(parts, "; "));
}

}  // namespace

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
  const std::string hint = refusal ? refusal->hint : hint_of(world, event);
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

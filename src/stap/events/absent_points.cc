// See absent_points.h.

#include "stap/events/absent_points.h"

#include <fmt/core.h>
#include <fmt/ranges.h>

#include <map>
#include <set>
#include <vector>

#include "probe/pattern.h"
#include "stap/events/function_events.h"
#include "stap/meaning/handlers.h"
#include "stap/syntax/similar.h"

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

bool is_function_or_mark(const Event& event) {
  return event.kind == EventKind::kFunctionEntry || event.kind == EventKind::kFunctionReturn ||
         event.kind == EventKind::kMark;
}

// Of the program or the kernel.
std::vector<std::string> all_functions(const front::World& world, const Programs& programs,
                                       const Event& event) {
  std::vector<std::string> out;
  if (event.pattern.module.starts_with('/')) {
    if (!programs.find_functions) return out;
    for (const CodeFunction& one : programs.find_functions(event.pattern.module)) {
      out.push_back(one.symbol);
    }
    return out;
  }
  probe::Pattern all = event.pattern;
  all.function.clear();
  for (const probe::Probe& one : world.probes.match(all)) {
    out.push_back(one.description.function);
  }
  return out;
}

// " (similar functions: work, main)"
std::string similar_functions(const front::World& world, const Programs& programs,
                              const Event& event) {
  // Of a program, NAME@* is each function of the name.
  const std::string name = event.pattern.function.substr(0, event.pattern.function.find('@'));
  if (event.kind == EventKind::kMark || !probe::is_literal(name)) return {};
  const std::vector<std::string> names = all_functions(world, programs, event);
  const auto near = similar_names(name, {names.begin(), names.end()});
  return near.empty() ? "" : fmt::format(" (similar functions: {})", fmt::join(near, ", "));
}

// Of the name of a system call, or of a pattern of them.
bool report_absent_call(const front::World& world, const Event& event, Messages& messages) {
  const std::vector<std::string> calls = call_names(world);
  const std::string& name = event.pattern.function;
  if (calls.empty() || event.call == Span()) return false;
  messages.point_error(
      fmt::format("probe point mismatch{}{}",
                  probe::is_literal(name) ? "" : ": didn't find any wildcard matches",
                  similar(name, {calls.begin(), calls.end()})),
      event.span, event.call, hint_of(world, event));
  return true;
}

}  // namespace

std::vector<std::string> call_names(const front::World& world) {
  std::vector<std::string> out;
  probe::Pattern all;
  all.provider = "syscall";
  all.name = "entry";
  for (const probe::Probe& one : world.probes.match(all)) {
    out.push_back(one.description.function);
  }
  return out;
}

// The number of the pattern of aliases that has made the handler; 0: none has.
std::uint32_t pattern_of(const Handler& handler) {
  for (const Handler::Choice& choice : handler.choices) {
    if (choice.point == kOfPattern && !handler.alias.empty()) return choice.list;
  }
  return 0;
}

void report_absent(const front::World& world, const Programs& programs, const Event& event,
                   Messages& messages) {
  const auto refusal = world.probes.refusal(event.pattern);
  const bool is_unknown = !refusal || refusal->code == probe::Refusal::Code::kNoFunction ||
                          refusal->code == probe::Refusal::Code::kNoMatch;
  if (is_unknown && is_function_or_mark(event)) {
    const std::string hint = !refusal
                                 ? hint_of(world, event)
                                 : fmt::format("{}{}{}", refusal->text,
                                               refusal->hint.empty() ? "" : "; ", refusal->hint);
    return messages.point_error("no match" + similar_functions(world, programs, event), event.span,
                                std::nullopt, hint);
  }
  if (!refusal && report_absent_call(world, event, messages)) return;
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

// See unmatched.h.

#include "probe/unmatched.h"

#include <fmt/core.h>

#include "probe/alternatives.h"

namespace dt::probe {

Unmatched explain_unmatched(const Catalog& probes, const Point& point) {
  constexpr std::size_t kNearMatches = 3;
  Unmatched out{point};
  if (point.id) return out;
  const std::string_view absent = absent_provider(point.pattern.provider);
  if (!absent.empty()) {
    out.why = fmt::format("there is no provider '{}' here: {}", point.pattern.provider, absent);
    return out;
  }
  out.refusal = probes.refusal(point.pattern);
  std::string_view of_programs = provider_of_programs(point.pattern.provider);
  if (!of_programs.empty() && has_probes(probes, point.pattern.provider)) of_programs = {};
  if (out.refusal && out.refusal->hint.empty()) out.refusal->hint = of_programs;
  if (out.refusal) return out;
  if (!of_programs.empty()) {
    out.why =
        fmt::format("no process has the provider '{}': {}", point.pattern.provider, of_programs);
    return out;
  }
  const Pattern& pattern = point.pattern;
  out.why = probes.why_not(pattern);
  out.near = suggestions(probes, pattern, kNearMatches, !out.why.empty());
  // What stands before a function may be meant as its provider, or be another kernel's module.
  if (out.why.empty() && out.near.empty() && pattern.provider.empty() && !pattern.module.empty() &&
      !pattern.function.empty()) {
    Pattern of_any = pattern;
    of_any.module.clear();
    out.why = probes.why_not(of_any);
  }
  const bool is_name =
      pattern.provider.empty() && pattern.module.empty() && pattern.function.empty();
  if (out.why.empty() && is_name) {
    // It may be that of a function.
    if (const auto function = parse_pattern(pattern.name + ":entry"))
      out.why = probes.why_not(*function);
  }
  return out;
}

}  // namespace dt::probe

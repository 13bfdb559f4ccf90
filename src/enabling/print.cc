// The text of -xdump=ecbs.
//
//     program syscall:entry (2 probes)
//       0: 2 syscall:vmlinux:read:entry key 0
//       1: 4 syscall:vmlinux:write:entry key 1
//       clause 0 `syscall:::entry`: epid 1 + slot
//       clause 1 `syscall::read:entry`: slot 0 epid 3
//       clause 2 `syscall:::entry`: 2 layouts + 2 each, epid 4 + slot
//
// A long list is shown by its first and last lines.

#include <fmt/core.h>

#include <iterator>

#include "enabling/plan.h"
#include "support/shown.h"

namespace dt::enabling {

namespace {

constexpr std::size_t kShown = 8;  // of a list, at its start

using Out = std::back_insert_iterator<std::string>;

// True when entry i of n is printed; says how many are left out.
bool shown(Out out, std::size_t i, std::size_t n) {
  if (n <= kShown + 2 || i < kShown || i + 1 == n) return true;
  if (i == kShown) fmt::format_to(out, "    ... {} more\n", n - kShown - 1);
  return false;
}

void print_clause(Out out, const ir::Program& program, const ClauseBinding& binding) {
  std::string points;
  for (const probe::Point& point : program.clauses[binding.clause].points) {
    points += (points.empty() ? "`" : ", `") + to_string(point) + "`";
  }
  fmt::format_to(out, "  clause {} {}:", binding.clause, points);
  if (const std::size_t layouts = program.clauses[binding.clause].layouts.size(); layouts > 1) {
    fmt::format_to(out, " {} layouts + {} each,", layouts, binding.stride);
  }
  if (binding.dense) {
    fmt::format_to(out, " epid {} + slot\n", binding.epids[0]);
    return;
  }
  std::size_t listed = 0;
  for (std::size_t slot = 0; slot < binding.epids.size(); ++slot) {
    if (binding.epids[slot] == 0) continue;
    if (listed++ < kShown) fmt::format_to(out, " slot {} epid {}", slot, binding.epids[slot]);
  }
  if (listed > kShown) fmt::format_to(out, " ... {} more", listed - kShown);
  fmt::format_to(out, "\n");
}

}  // namespace

std::string print(const Plan& plan, const ir::Program& program) {
  std::string text;
  const Out out = std::back_inserter(text);
  for (const ProgramPlan& served : plan.programs) {
    const std::size_t count = served.probes.size();
    fmt::format_to(out, "program {} ({} probe{})\n", served.program, count, count == 1 ? "" : "s");
    for (std::size_t slot = 0; slot < count; ++slot) {
      if (!shown(out, slot, count)) continue;
      const probe::Probe& probe = served.probes[slot];
      const probe::Description& names = probe.description;
      fmt::format_to(out, "  {}: {} {} key {}\n", slot, probe.id.value,
                     support::shown_name(fmt::format("{}:{}:{}:{}", names.provider, names.module,
                                                     names.function, names.name)),
                     probe.binding.key);
    }
    for (const ClauseBinding& binding : served.clauses) print_clause(out, program, binding);
  }
  if (!plan.error_clauses.empty()) {
    fmt::format_to(out, "error probe {}\n", plan.error_probe.id.value);
    for (const ClauseBinding& binding : plan.error_clauses) print_clause(out, program, binding);
  }
  return text;
}

}  // namespace dt::enabling

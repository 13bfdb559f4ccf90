#include "d/check/split_clauses.h"

#include <fmt/core.h>

#include <algorithm>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "d/check/expander.h"
#include "d/syntax/ast.h"
#include "d/syntax/world.h"

namespace dt::d {

namespace {

bool mentions_arguments(const Expr* e) {
  if (e == nullptr) {
    return false;
  }
  return (e->kind == ExprKind::kIdent && e->text == "args") ||
         std::ranges::any_of(e->args, mentions_arguments);
}

bool has_arguments(const Stmt* stmt) {
  return mentions_arguments(stmt->expr) || std::ranges::any_of(stmt->body, has_arguments);
}

bool is_divided(const Clause& clause) {
  return clause.probes.size() > 1 &&
         (mentions_arguments(clause.predicate) || std::ranges::any_of(clause.body, has_arguments));
}

// What tells kinds of arguments apart; nothing where no probe matches. A description of several
// kinds is refused later.
std::optional<std::string> probe_kind_of(const ProbeSpec& spec, const World& world) {
  const auto pattern = probe::parse_pattern(spec.text);
  if (!pattern) {
    return std::nullopt;
  }
  const std::vector<probe::Probe> probes = world.probes.match(*pattern);
  if (probes.empty()) {
    return std::nullopt;
  }
  std::string kind;
  for (const probe::Probe& one : {probes.front(), probes.back()}) {
    const auto arguments = world.probes.arguments(one);
    kind += arguments ? "" : "unknown";
    for (const probe::Argument& argument : arguments.value_or(std::vector<probe::Argument>{})) {
      kind += fmt::format("{}{}<{}#{};", argument.userland ? "userland " : "", argument.type,
                          argument.native, argument.source);
    }
  }
  return kind;
}

// The descriptions by their kinds, in the order of the text. A probe that may come later is with
// those that are there.
std::vector<std::vector<ProbeSpec>> by_kinds(const Clause& clause, const World& world) {
  std::vector<std::pair<std::string, std::vector<ProbeSpec>>> kinds;
  std::vector<ProbeSpec> absent;
  for (const ProbeSpec& spec : clause.probes) {
    const auto kind = probe_kind_of(spec, world);
    if (!kind) {
      absent.push_back(spec);
      continue;
    }
    const auto found =
        std::ranges::find_if(kinds, [&](const auto& one) { return one.first == *kind; });
    if (found == kinds.end()) {
      kinds.push_back({*kind, {spec}});
    } else {
      found->second.push_back(spec);
    }
  }
  std::vector<std::vector<ProbeSpec>> out;
  for (auto& [kind, specs] : kinds) {
    out.push_back(std::move(specs));
  }
  if (!out.empty()) {
    out.front().insert(out.front().end(), absent.begin(), absent.end());
  }
  return out;
}

}  // namespace

void split_clauses(Unit& unit, const World& world, Expander& expander) {
  std::vector<Item> items;
  for (const Item& item : unit.items) {
    items.push_back(item);
    if (item.kind != Item::Kind::kClause || !is_divided(unit.clauses[item.index])) {
      continue;
    }
    std::vector<std::vector<ProbeSpec>> kinds = by_kinds(unit.clauses[item.index], world);
    if (kinds.size() < 2) {
      continue;
    }
    for (std::size_t i = 1; i < kinds.size(); ++i) {
      Clause other = expander.clone(unit.clauses[item.index]);
      other.probes = std::move(kinds[i]);
      other.is_again = true;
      items.push_back({Item::Kind::kClause, static_cast<std::uint32_t>(unit.clauses.size())});
      unit.clauses.push_back(std::move(other));
    }
    unit.clauses[item.index].probes = std::move(kinds[0]);
  }
  unit.items = std::move(items);
}

}  // namespace dt::d

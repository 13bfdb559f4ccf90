// See pairs.h.

#include "view/pairs.h"

#include <algorithm>
#include <map>
#include <optional>
#include <string_view>
#include <tuple>
#include <utility>

namespace dt::view {
namespace {

using record::ProbeNames;

struct PairRule {
  bool is_function;
  std::string_view begin, end;
  Matching matching;
};
constexpr PairRule kPairs[] = {
#define DT_PAIR(is_function, begin, end, matching) {is_function, begin, end, Matching::matching},
#include "view/pairs.def"
#undef DT_PAIR
};

// The name with its part exchanged; nothing where it has no such part.
std::optional<std::string> exchanged(const std::string& name, std::string_view part,
                                     std::string_view with) {
  if (part.ends_with('_')) {
    if (!name.starts_with(part)) return std::nullopt;
    return std::string(with) + name.substr(part.size());
  }
  if (!name.ends_with(part)) return std::nullopt;
  return name.substr(0, name.size() - part.size()) + std::string(with);
}

bool has_layout(const record::EpidInfo& epid, const std::vector<std::uint32_t>& layouts) {
  return std::ranges::find(layouts, epid.layout) != layouts.end();
}

}  // namespace

std::vector<End> ends_of(const ProbeNames& begin) {
  std::vector<End> ends;
  for (const PairRule& rule : kPairs) {
    auto changed = exchanged(rule.is_function ? begin.function : begin.name, rule.begin, rule.end);
    if (!changed) continue;
    End end{begin.provider, begin.module, begin.function, begin.name, rule.matching};
    (rule.is_function ? end.function : end.name) = std::move(*changed);
    ends.push_back(std::move(end));
  }
  return ends;
}

std::vector<Role> find_roles(const record::Schema& schema,
                             const std::vector<std::uint32_t>& layouts) {
  using Key = std::tuple<std::string_view, std::string_view, std::string_view, std::string_view>;
  std::map<Key, std::vector<std::uint32_t>> by_name;
  std::vector<Role> roles(schema.epids.size());
  for (std::uint32_t i = 0; i < schema.epids.size(); ++i) {
    const ProbeNames* const probe = record::find_probe(schema, schema.epids[i].probe);
    if (probe == nullptr || !has_layout(schema.epids[i], layouts)) continue;
    by_name[{probe->provider, probe->module, probe->function, probe->name}].push_back(i);
  }
  std::uint32_t pairs = 0;
  for (const auto& [key, begins] : by_name) {
    const ProbeNames& probe = *record::find_probe(schema, schema.epids[begins.front()].probe);
    for (const End& end : ends_of(probe)) {
      const auto found = by_name.find({end.provider, end.module, end.function, end.name});
      if (found == by_name.end()) continue;
      ++pairs;
      for (const std::uint32_t i : begins) roles[i] = {Role::Kind::kBegin, pairs, end.matching};
      for (const std::uint32_t i : found->second)
        roles[i] = {Role::Kind::kEnd, pairs, end.matching};
      break;
    }
  }
  return roles;
}

namespace {

std::string name_without(const ProbeNames& probe, std::string_view PairRule::*part) {
  for (const PairRule& rule : kPairs) {
    auto rest = exchanged(rule.is_function ? probe.function : probe.name, rule.*part, "");
    if (!rest) continue;
    if (rule.is_function || probe.function.empty()) {
      return rest->empty() ? probe.provider : probe.provider + ":" + *rest;
    }
    return rest->empty() ? probe.function : probe.function + ":" + *rest;
  }
  return probe.function.empty() ? probe.name : probe.function;
}

}  // namespace

std::string name_of_pair(const ProbeNames& begin) { return name_without(begin, &PairRule::begin); }

std::string name_of_end(const ProbeNames& end) { return name_without(end, &PairRule::end); }

}  // namespace dt::view

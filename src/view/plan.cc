// See plan.h.

#include "view/plan.h"

#include <algorithm>
#include <string_view>
#include <utility>

#include "consumer/structured/json_lines.h"
#include "view/flames.h"
#include "view/schema_text.h"
#include "view/unit.h"

namespace dt::view {
namespace {

using record::ActionKind;
using record::FieldKind;
using record::ProbeNames;

// ---- Aggregations ----

// Ticks that print, clear or truncate the aggregation.
std::vector<std::string> ticks_of(const record::Schema& schema, std::uint32_t aggregation) {
  std::vector<std::string> ticks;
  for (std::uint32_t i = 0; i < schema.layouts.size(); ++i) {
    const auto acts = [&](const record::Action& action) {
      return (action.kind == ActionKind::kPrinta || action.kind == ActionKind::kClear ||
              action.kind == ActionKind::kTrunc) &&
             std::ranges::find(action.aggregations, aggregation) != action.aggregations.end();
    };
    if (std::ranges::none_of(schema.layouts[i].actions, acts)) continue;
    for (const ProbeNames* probe : probes_of(schema, i)) {
      if (probe->provider != "profile") continue;
      if (std::ranges::find(ticks, probe->name) == ticks.end()) ticks.push_back(probe->name);
    }
  }
  return ticks;
}

ViewKind kind_of(const record::AggLayout& layout, bool is_periodic) {
  if (is_flame(layout)) return ViewKind::kFlame;
  if (record::is_histogram(layout.func)) {
    return is_periodic ? ViewKind::kHeat : ViewKind::kHistogram;
  }
  return is_periodic ? ViewKind::kLine : ViewKind::kTable;
}

// Those that stand in one printa() with this one, itself among them.
std::vector<std::uint32_t> printed_with(const record::Schema& schema, std::uint32_t aggregation) {
  for (const record::Layout& layout : schema.layouts) {
    for (const record::Action& action : layout.actions) {
      const bool has_it =
          std::ranges::find(action.aggregations, aggregation) != action.aggregations.end();
      if (action.kind == ActionKind::kPrinta && has_it) return action.aggregations;
    }
  }
  return {aggregation};
}

void plan_aggregations(const record::Schema& schema, const Sources& sources,
                       std::vector<View>& views) {
  std::vector<bool> is_shown(schema.aggregations.size());
  for (std::uint32_t i = 0; i < schema.aggregations.size(); ++i) {
    if (is_shown[i]) continue;
    View view;
    view.ticks = ticks_of(schema, i);
    view.kind = kind_of(schema.aggregations[i], !view.ticks.empty());
    view.unit_ns = unit_of(schema.aggregations[i], sources);
    view.aggregations = {i};
    is_shown[i] = true;
    for (const std::uint32_t other : printed_with(schema, i)) {
      if (view.kind != ViewKind::kLine || is_shown[other] ||
          kind_of(schema.aggregations[other], true) != ViewKind::kLine) {
        continue;
      }
      view.aggregations.push_back(other);
      is_shown[other] = true;
      // Lines of different units have none in common.
      if (unit_of(schema.aggregations[other], sources) != view.unit_ns) view.unit_ns = 0;
    }
    views.push_back(std::move(view));
  }
}

// ---- Records ----

// Pairs are looked for among so many clauses at most.
constexpr std::size_t kMostPairedLayouts = 100;

// A number that both sides record under one name, and that is none of the thread's own.
std::string common_value(const record::Layout& a, const record::Layout& b, const Sources& sources) {
  constexpr std::string_view kOfThread[] = {"pid", "tid", "ppid", "cpu", "uid", "gid"};
  for (const record::Field& one : values_of(a)) {
    const std::string name = consumer::value_name(sources, one);
    if (name.empty() || one.type.kind != FieldKind::kInt ||
        std::ranges::find(kOfThread, name) != std::end(kOfThread) ||
        name.find("timestamp") != std::string::npos) {
      continue;
    }
    for (const record::Field& other : values_of(b)) {
      if (other.type.kind == FieldKind::kInt && name == consumer::value_name(sources, other)) {
        return name;
      }
    }
  }
  return "";
}

// The first that begins something in a clause of the layout `begin`, if one of `end` may end it.
const Role* first_begin(const record::Schema& schema, const std::vector<Role>& roles,
                        std::uint32_t begin, std::uint32_t end) {
  const Role* found = nullptr;
  bool has_end = false;
  for (std::uint32_t i = 0; i < roles.size(); ++i) {
    if (roles[i].kind == Role::Kind::kBegin && schema.epids[i].layout == begin &&
        found == nullptr) {
      found = &roles[i];
    }
    has_end = has_end || (roles[i].kind == Role::Kind::kEnd && schema.epids[i].layout == end);
  }
  return has_end ? found : nullptr;
}

// The layouts, in their order, of which some clause has a role of the kind.
std::vector<std::uint32_t> layouts_with(const record::Schema& schema,
                                        const std::vector<Role>& roles, Role::Kind kind) {
  std::vector<bool> has(schema.layouts.size());
  for (std::uint32_t i = 0; i < roles.size(); ++i) {
    if (roles[i].kind == kind) has[schema.epids[i].layout] = true;
  }
  std::vector<std::uint32_t> layouts;
  for (std::uint32_t i = 0; i < has.size(); ++i) {
    if (has[i]) layouts.push_back(i);
  }
  return layouts;
}

// Marks both as shown. One clause of both probes is a pair of its own.
void plan_pairs(const record::Schema& schema, const Sources& sources, std::vector<bool>& is_shown,
                std::vector<View>& views) {
  std::vector<std::uint32_t> open;
  for (std::uint32_t i = 0; i < schema.layouts.size(); ++i) {
    if (!is_shown[i]) open.push_back(i);
  }
  if (open.size() > kMostPairedLayouts) return;
  const std::vector<Role> all = find_roles(schema, open);
  const std::vector<std::uint32_t> ends = layouts_with(schema, all, Role::Kind::kEnd);
  for (const std::uint32_t i : layouts_with(schema, all, Role::Kind::kBegin)) {
    for (const std::uint32_t j : ends) {
      if (is_shown[i] || is_shown[j]) continue;
      const std::vector<Role> roles = find_roles(schema, {i, j});
      const Role* const begin = first_begin(schema, roles, i, j);
      if (begin == nullptr) continue;
      View view;
      view.kind = ViewKind::kTimeline;
      view.layouts = {i, j};
      view.matching = begin->matching;
      if (view.matching == Matching::kValue) {
        view.paired_by = common_value(schema.layouts[i], schema.layouts[j], sources);
        if (view.paired_by.empty()) view.matching = Matching::kThread;
      }
      if (view.matching == Matching::kCpu) view.lane = Lane::kCpu;
      is_shown[i] = is_shown[j] = true;
      views.push_back(std::move(view));
    }
  }
}

View view_of_records(const record::Schema& schema, const Sources& sources, std::uint32_t index) {
  View view;
  view.kind = ViewKind::kEvents;
  view.layouts = {index};
  const std::vector<record::Field> values = values_of(schema.layouts[index]);
  if (std::ranges::any_of(values, is_stack)) {
    view.kind = ViewKind::kScope;
    return view;
  }
  for (const record::Field& value : values) {
    const std::string name = consumer::value_name(sources, value);
    const auto difference = time_difference(name);
    if (value.type.kind == FieldKind::kInt && difference && difference->is_wall) {
      view.kind = ViewKind::kTimeline;
      view.duration = name;
      view.unit_ns = difference->unit_ns;
      break;
    }
  }
  return view;
}

void plan_records(const record::Schema& schema, const Sources& sources, std::vector<View>& views) {
  // Layouts that are no event need no view: they count as shown already.
  std::vector<bool> is_shown(schema.layouts.size());
  for (std::uint32_t i = 0; i < schema.layouts.size(); ++i) {
    is_shown[i] = is_no_event(schema, i);
  }
  std::vector<View> single;
  for (std::uint32_t i = 0; i < schema.layouts.size(); ++i) {
    if (is_shown[i]) continue;
    View view = view_of_records(schema, sources, i);
    if (view.kind == ViewKind::kEvents) continue;
    is_shown[i] = true;
    single.push_back(std::move(view));
  }
  plan_pairs(schema, sources, is_shown, views);
  views.insert(views.end(), single.begin(), single.end());
  for (std::uint32_t i = 0; i < schema.layouts.size(); ++i) {
    if (!is_shown[i]) views.push_back(view_of_records(schema, sources, i));
  }
}

}  // namespace

std::vector<View> plan_views(const record::Schema& schema, const Sources& sources) {
  std::vector<View> views;
  plan_aggregations(schema, sources, views);
  plan_records(schema, sources, views);
  return views;
}

}  // namespace dt::view

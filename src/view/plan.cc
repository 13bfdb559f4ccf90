// See plan.h.

#include "view/plan.h"

#include <fmt/core.h>

#include <algorithm>
#include <optional>
#include <string_view>
#include <utility>

#include "consumer/json_lines.h"
#include "support/shown.h"
#include "view/flames.h"

namespace dt::view {
namespace {

using record::ActionKind;
using record::FieldKind;
using record::ProbeNames;

// ---- What a schema says ----

// The probes whose clause has this layout.
std::vector<const ProbeNames*> probes_of(const record::Schema& schema, std::uint32_t layout) {
  std::vector<const ProbeNames*> probes;
  for (const record::EpidInfo& epid : schema.epids) {
    const ProbeNames* const names = record::find_probe(schema, epid.probe);
    if (epid.layout == layout && names != nullptr) probes.push_back(names);
  }
  return probes;
}

std::string text_of(const ProbeNames& probe) {
  return support::shown_name(
      fmt::format("{}:{}:{}:{}", probe.provider, probe.module, probe.function, probe.name));
}

bool shows_records(ActionKind kind) {
  return (record::traits(kind).prints && kind != ActionKind::kPrinta) ||
         kind == ActionKind::kDefault;
}

bool is_stack_field(const record::Field& field) {
  return field.type.kind == FieldKind::kStack || field.type.kind == FieldKind::kUstack;
}

// The values that actions print; the time of the firing belongs to none.
std::vector<record::Field> values_of(const record::Layout& layout) {
  std::vector<record::Field> values;
  for (const record::Action& action : layout.actions) {
    for (std::uint32_t i = 0; shows_records(action.kind) && i < action.field_count; ++i) {
      values.push_back(layout.fields[action.first_field + i]);
    }
  }
  return values;
}

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

void plan_aggregations(const record::Schema& schema, std::vector<View>& views) {
  std::vector<bool> is_shown(schema.aggregations.size());
  for (std::uint32_t i = 0; i < schema.aggregations.size(); ++i) {
    if (is_shown[i]) continue;
    View view;
    view.ticks = ticks_of(schema, i);
    view.kind = kind_of(schema.aggregations[i], !view.ticks.empty());
    view.aggregations = {i};
    is_shown[i] = true;
    for (const std::uint32_t other : printed_with(schema, i)) {
      if (view.kind != ViewKind::kLine || is_shown[other] ||
          kind_of(schema.aggregations[other], true) != ViewKind::kLine) {
        continue;
      }
      view.aggregations.push_back(other);
      is_shown[other] = true;
    }
    views.push_back(std::move(view));
  }
}

// ---- Records ----

// How the names of two probes differ that begin and end something: in a part of the name of the
// probe, or of its function.
struct PairRule {
  bool is_function;
  std::string_view begin, end;
};
constexpr PairRule kPairs[] = {
#define DT_PAIR(part, begin, end) {part, begin, end},
#include "view/pairs.def"
#undef DT_PAIR
};

// The name with its part exchanged; nothing where it has no such part. A part that ends in '_'
// stands at the front of a name, any other at its end.
std::optional<std::string> exchanged(const std::string& name, std::string_view part,
                                     std::string_view with) {
  if (part.ends_with('_')) {
    if (!name.starts_with(part)) return std::nullopt;
    return std::string(with) + name.substr(part.size());
  }
  if (!name.ends_with(part)) return std::nullopt;
  return name.substr(0, name.size() - part.size()) + std::string(with);
}

bool begins(const ProbeNames& begin, const ProbeNames& end) {
  if (begin.provider != end.provider || begin.module != end.module) return false;
  return std::ranges::any_of(kPairs, [&](const PairRule& rule) {
    if (rule.is_function) {
      return begin.name == end.name &&
             exchanged(begin.function, rule.begin, rule.end) == end.function;
    }
    return begin.function == end.function &&
           exchanged(begin.name, rule.begin, rule.end) == end.name;
  });
}

// "timestamp - self->begin", "(timestamp - this->t) / 1000": ns, us.
bool is_difference_of_times(std::string_view text, std::uint64_t& unit_ns) {
  constexpr std::string_view kTime = "timestamp";
  std::size_t at = text.find(kTime);
  while (at != std::string_view::npos) {
    const std::size_t next = text.find_first_not_of(' ', at + kTime.size());
    if (next != std::string_view::npos && text[next] == '-' && text.substr(next, 2) != "->") break;
    at = text.find(kTime, at + 1);
  }
  if (at == std::string_view::npos) return false;
  unit_ns = 1;
  for (const auto& [divisor, ns] :
       {std::pair<std::string_view, std::uint64_t>{"1000000000", 1'000'000'000},
        {"1000000", 1'000'000},
        {"1000", 1000}}) {
    std::string compact;
    std::ranges::copy_if(text, std::back_inserter(compact), [](char c) { return c != ' '; });
    if (compact.ends_with("/" + std::string(divisor))) {
      unit_ns = ns;
      break;
    }
  }
  return true;
}

// An equal name of a value on both sides.
std::string common_value(const record::Layout& a, const record::Layout& b, const Sources& sources) {
  for (const record::Field& one : values_of(a)) {
    const std::string name = consumer::value_name(sources, one);
    for (const record::Field& other : values_of(b)) {
      if (!name.empty() && name == consumer::value_name(sources, other)) return name;
    }
  }
  return "";
}

// Marks both as shown.
void plan_pairs(const record::Schema& schema, const Sources& sources, std::vector<bool>& is_shown,
                std::vector<View>& views) {
  std::vector<const ProbeNames*> first(schema.layouts.size());  // the first of each is enough
  for (std::uint32_t i = 0; i < schema.layouts.size(); ++i) {
    const std::vector<const ProbeNames*> probes = probes_of(schema, i);
    if (!probes.empty()) first[i] = probes.front();
  }
  for (std::uint32_t i = 0; i < schema.layouts.size(); ++i) {
    for (std::uint32_t j = 0; j < schema.layouts.size(); ++j) {
      if (is_shown[i] || is_shown[j] || first[i] == nullptr || first[j] == nullptr ||
          !begins(*first[i], *first[j])) {
        continue;
      }
      View view;
      view.kind = ViewKind::kTimeline;
      view.layouts = {i, j};
      view.paired_by = common_value(schema.layouts[i], schema.layouts[j], sources);
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
  if (std::ranges::any_of(values, is_stack_field)) {
    view.kind = ViewKind::kScope;
    return view;
  }
  for (const record::Field& value : values) {
    const std::string name = consumer::value_name(sources, value);
    if (value.type.kind == FieldKind::kInt && is_difference_of_times(name, view.unit_ns)) {
      view.kind = ViewKind::kTimeline;
      view.duration = name;
      break;
    }
  }
  return view;
}

void plan_records(const record::Schema& schema, const Sources& sources, std::vector<View>& views) {
  // What is not to be shown is taken for shown.
  std::vector<bool> is_shown(schema.layouts.size());
  for (std::uint32_t i = 0; i < schema.layouts.size(); ++i) {
    const std::vector<const ProbeNames*> probes = probes_of(schema, i);
    is_shown[i] = std::ranges::none_of(
                      schema.layouts[i].actions,
                      [](const record::Action& action) { return shows_records(action.kind); }) ||
                  std::ranges::all_of(probes, [](const ProbeNames* probe) {
                    return probe->provider == "dtrace" || probe->name.starts_with("tick-");
                  });
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

// ---- Printing ----

std::string names_of(const std::vector<record::Field>& fields, const Sources& sources) {
  std::string text;
  for (const record::Field& field : fields) {
    const std::string name = consumer::value_name(sources, field);
    text += text.empty() ? "" : ", ";
    text += name.empty() ? record::kind_name(field.type.kind) : support::shown_name(name);
  }
  return text;
}

std::string probes_text(const record::Schema& schema, std::uint32_t layout) {
  const std::vector<const ProbeNames*> probes = probes_of(schema, layout);
  if (probes.empty()) return "?";
  std::string text = text_of(*probes.front());
  if (probes.size() > 1) text += fmt::format(" and {} more", probes.size() - 1);
  return text;
}

std::string aggregation_text(const record::AggLayout& layout, const Sources& sources) {
  std::string text =
      fmt::format("@{} = {}()", layout.name == "_" ? "" : support::shown_name(layout.name),
                  record::agg_func_name(layout.func));
  if (!layout.keys.empty()) text += " by " + names_of(layout.keys, sources);
  return text;
}

const char* unit_text(std::uint64_t unit_ns) {
  switch (unit_ns) {
    case 1:
      return "ns";
    case 1000:
      return "us";
    case 1'000'000:
      return "ms";
    default:
      return "s";
  }
}

std::string records_text(const View& view, const record::Schema& schema, const Sources& sources) {
  std::string text = probes_text(schema, view.layouts.front());
  if (view.layouts.size() > 1) {
    text += " to " + probes_text(schema, view.layouts.back());
    text += view.paired_by.empty() ? ", by thread" : ", by " + support::shown_name(view.paired_by);
    return text;
  }
  const std::string values = names_of(values_of(schema.layouts[view.layouts.front()]), sources);
  if (!values.empty()) text += ": " + values;
  if (!view.duration.empty()) {
    text += fmt::format("; its length in {} is {}", unit_text(view.unit_ns),
                        support::shown_name(view.duration));
  }
  return text;
}

}  // namespace

const char* view_kind_name(ViewKind kind) {
  switch (kind) {
    case ViewKind::kFlame:
      return "flame";
    case ViewKind::kHeat:
      return "heat";
    case ViewKind::kHistogram:
      return "hist";
    case ViewKind::kLine:
      return "line";
    case ViewKind::kTable:
      return "table";
    case ViewKind::kScope:
      return "scope";
    case ViewKind::kTimeline:
      return "timeline";
    case ViewKind::kEvents:
      return "events";
  }
  return "?";
}

std::vector<View> plan_views(const record::Schema& schema, const Sources& sources) {
  std::vector<View> views;
  plan_aggregations(schema, views);
  plan_records(schema, sources, views);
  return views;
}

std::string print_views(const std::vector<View>& views, const record::Schema& schema,
                        const Sources& sources) {
  std::string text;
  for (const View& view : views) {
    std::string what;
    for (const std::uint32_t index : view.aggregations) {
      what += (what.empty() ? "" : "; ") + aggregation_text(schema.aggregations[index], sources);
    }
    if (view.aggregations.empty()) what = records_text(view, schema, sources);
    text += fmt::format("{:<9}{}", view_kind_name(view.kind), what);
    for (std::size_t i = 0; i < view.ticks.size(); ++i) {
      text += fmt::format("{}{}", i == 0 ? ", a column at " : ", ", view.ticks[i]);
    }
    text += '\n';
  }
  return text;
}

}  // namespace dt::view

// See schema_text.h.

#include "view/schema_text.h"

#include <fmt/core.h>

#include <algorithm>

namespace dt::view {

using record::ActionKind;
using record::FieldKind;
using record::ProbeNames;

std::vector<const ProbeNames*> probes_of(const record::Schema& schema, std::uint32_t layout) {
  std::vector<const ProbeNames*> probes;
  for (const record::EpidInfo& epid : schema.epids) {
    const ProbeNames* const names = record::find_probe(schema, epid.probe);
    if (epid.layout == layout && names != nullptr) probes.push_back(names);
  }
  return probes;
}

std::string probe_text(const ProbeNames& probe) {
  return fmt::format("{}:{}:{}:{}", probe.provider, probe.module, probe.function,
                     probe.name);  // the caller escapes it
}

std::string aggregation_name(const record::AggLayout& layout) {
  if (is_variable(layout)) return layout.name;
  return layout.name == "_" ? "@" : "@" + layout.name;
}

namespace {

bool has_part(const record::AggLayout& layout, VariablePart part) {
  return layout.func != record::AggFunc::kLlquantize &&
         (layout.params.factor & static_cast<std::uint32_t>(part)) != 0;
}

}  // namespace

void mark_variable(record::AggLayout& layout, bool is_counted, bool is_of_statistic) {
  layout.params.factor =
      static_cast<std::uint32_t>(is_counted ? VariablePart::kCounted : VariablePart::kValue) |
      (is_of_statistic ? static_cast<std::uint32_t>(VariablePart::kStatistic) : 0);
}

bool is_variable(const record::AggLayout& layout) {
  return has_part(layout, VariablePart::kCounted) || has_part(layout, VariablePart::kValue);
}

bool is_gauge(const record::AggLayout& layout) {
  return has_part(layout, VariablePart::kValue) && adds_up(layout.func) &&
         !record::is_histogram(layout.func);
}

std::string variable_name(const record::AggLayout& layout) {
  const std::string end = std::string("_") + record::agg_func_name(layout.func);
  const bool is_part = has_part(layout, VariablePart::kStatistic) && layout.name.ends_with(end);
  return layout.name.substr(0, layout.name.size() - (is_part ? end.size() : 0));
}

bool is_stack(const record::Field& field) {
  return field.type.kind == FieldKind::kStack || field.type.kind == FieldKind::kUstack;
}

bool adds_up(record::AggFunc func) {
  return func == record::AggFunc::kCount || func == record::AggFunc::kSum ||
         record::is_histogram(func);
}

bool adds_up(const record::AggLayout& layout) { return adds_up(layout.func) && !is_gauge(layout); }

bool acts_on(const record::Layout& layout, std::uint32_t aggregation) {
  return std::ranges::any_of(layout.actions, [&](const record::Action& action) {
    return std::ranges::find(action.aggregations, aggregation) != action.aggregations.end();
  });
}

bool prints(const record::Layout& layout, std::uint32_t aggregation) {
  return std::ranges::any_of(layout.actions, [&](const record::Action& action) {
    return action.kind == ActionKind::kPrinta &&
           std::ranges::find(action.aggregations, aggregation) != action.aggregations.end();
  });
}

bool is_tick(const record::Schema& schema, const record::Layout& layout) {
  const auto index = static_cast<std::uint32_t>(&layout - schema.layouts.data());
  return std::ranges::any_of(probes_of(schema, index),
                             [](const ProbeNames* probe) { return probe->provider == "profile"; });
}

bool shows_records(ActionKind kind) {
  return (record::traits(kind).prints && kind != ActionKind::kPrinta) ||
         kind == ActionKind::kDefault;
}

std::vector<record::Field> values_of(const record::Layout& layout) {
  std::vector<record::Field> values;
  for (const record::Action& action : layout.actions) {
    for (std::uint32_t i = 0; shows_records(action.kind) && i < action.field_count; ++i) {
      values.push_back(layout.fields[action.first_field + i]);
    }
  }
  return values;
}

bool is_no_event(const record::Schema& schema, std::uint32_t layout) {
  const std::vector<const ProbeNames*> probes = probes_of(schema, layout);
  return std::ranges::none_of(
             schema.layouts[layout].actions,
             [](const record::Action& action) { return shows_records(action.kind); }) ||
         std::ranges::all_of(probes, [](const ProbeNames* probe) {
           return probe->provider == "dtrace" || probe->name.starts_with("tick-");
         });
}

}  // namespace dt::view

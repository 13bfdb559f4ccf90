// A plan as text: -xdump=views, and the titles of pictures.

#include <fmt/core.h>

#include "consumer/structured/json_lines.h"
#include "support/shown.h"
#include "view/plan.h"
#include "view/schema_text.h"
#include "view/unit.h"

namespace dt::view {
namespace {

std::string names_of(const std::vector<record::Field>& fields, const Sources& sources) {
  std::string text;
  for (const record::Field& field : fields) {
    const std::string name = consumer::value_name(sources, field);
    text += text.empty() ? "" : ", ";
    text += name.empty() ? record::kind_name(field.type.kind) : support::shown_name(name);
  }
  return text;
}

std::string probes_text(const record::Schema& schema, std::uint32_t layout, Role::Kind wanted,
                        const std::vector<Role>& roles) {
  std::string text;
  std::size_t more = 0;
  for (std::uint32_t i = 0; i < schema.epids.size(); ++i) {
    const record::ProbeNames* const probe = record::find_probe(schema, schema.epids[i].probe);
    if (schema.epids[i].layout != layout || probe == nullptr ||
        (!roles.empty() && roles[i].kind != wanted)) {
      continue;
    }
    if (text.empty()) {
      text = support::shown_name(probe_text(*probe));
    } else {
      ++more;
    }
  }
  if (more > 0) text += fmt::format(" and {} more", more);
  return text.empty() ? "?" : text;
}

std::string aggregation_text(const record::AggLayout& layout, const Sources& sources) {
  std::string text = support::shown_name(aggregation_name(layout));
  if (!is_variable(layout)) {
    text += fmt::format(" = {}({})", record::agg_func_name(layout.func),
                        support::shown_name(argument_text(layout, sources)));
  }
  if (!layout.keys.empty()) text += " by " + names_of(layout.keys, sources);
  if (const std::uint64_t unit = unit_of(layout, sources)) {
    text += fmt::format(", in {}", unit_text(unit));
  }
  return text;
}

std::string pair_text(const View& view, const record::Schema& schema) {
  const std::vector<Role> roles = roles_of(view, schema);
  std::string text = probes_text(schema, view.layouts.front(), Role::Kind::kBegin, roles) + " to " +
                     probes_text(schema, view.layouts.back(), Role::Kind::kEnd, roles);
  switch (view.matching) {
    case Matching::kThread:
      return text + ", by thread";
    case Matching::kCpu:
      return text + ", by CPU";
    case Matching::kValue:
      return text + ", by " + support::shown_name(view.paired_by);
  }
  return text;
}

std::string records_text(const View& view, const record::Schema& schema, const Sources& sources) {
  if (view.layouts.size() > 1) return pair_text(view, schema);
  std::string text = probes_text(schema, view.layouts.front(), Role::Kind::kNone, {});
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

std::string title_of(const View& view, const record::Schema& schema, const Sources& sources) {
  std::string text;
  for (const std::uint32_t index : view.aggregations) {
    text += (text.empty() ? "" : "; ") + aggregation_text(schema.aggregations[index], sources);
  }
  if (view.aggregations.empty()) text = records_text(view, schema, sources);
  for (std::size_t i = 0; i < view.ticks.size(); ++i) {
    text += fmt::format("{}{}", i == 0 ? ", a column at " : ", ", view.ticks[i]);
  }
  if (!view.root.empty()) text += ", within " + support::shown_name(view.root);
  return text;
}

std::string print_views(const std::vector<View>& views, const record::Schema& schema,
                        const Sources& sources) {
  std::string text;
  for (const View& view : views) {
    text += fmt::format("{:<9}{}\n", view_kind_name(view.kind), title_of(view, schema, sources));
  }
  return text;
}

}  // namespace dt::view

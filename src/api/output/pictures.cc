// See pictures.h.

#include "api/output/pictures.h"

#include <fmt/core.h>

#include <algorithm>
#include <vector>

#include "api/options/export_kinds.h"
#include "api/options/option_kinds.h"
#include "api/output/export.h"
#include "consumer/structured/json_lines.h"
#include "exports/charts_svg.h"
#include "exports/picture.h"
#include "record/drop.h"
#include "support/shown.h"
#include "view/schema_text.h"
#include "view/unit.h"

namespace dt::api {

namespace {

// Of what was lost, that of which a picture has less: firings that did not run, and values that
// found no place. Where a record finds no room, the clause still counts.
std::uint64_t lost_of(std::span<const std::uint64_t> drops) {
  constexpr record::Drop kLost[] = {record::Drop::kAggregation, record::Drop::kNesting};
  std::uint64_t lost = 0;
  for (std::size_t cpu = 0; cpu + record::kDropCounters <= drops.size();
       cpu += record::kDropCounters) {
    for (const record::Drop kind : kLost) lost += drops[cpu + static_cast<std::size_t>(kind)];
  }
  return lost;
}

// Where the only probes are those of one profile-N, but for ticks, BEGIN and END: 1/N s.
std::uint64_t period_of(const record::Schema& schema) {
  std::string_view name;
  for (const record::ProbeNames& probe : schema.probes) {
    const bool is_apart = probe.provider == "dtrace" || probe.name.starts_with("tick-");
    if (is_apart || probe.name == name) continue;
    if (!name.empty() || probe.provider != "profile") return 0;
    name = probe.name;
  }
  constexpr std::string_view kPrefix = "profile-";
  if (!name.starts_with(kPrefix)) return 0;
  const Result<std::uint64_t> period = parse_rate_ns(name.substr(kPrefix.size()));
  return period.ok() ? *period : 0;
}

bool has_timeline(const std::vector<view::View>& views) {
  return std::ranges::any_of(
      views, [](const view::View& view) { return view.kind == view::ViewKind::kTimeline; });
}

bool has_flame(const std::vector<view::View>& views) {
  return std::ranges::any_of(
      views, [](const view::View& view) { return view.kind == view::ViewKind::kFlame; });
}

// A flame graph comes first, but where a hint names another picture.
bool draws_charts(const Options& options, const record::Schema& schema,
                  const std::vector<view::View>& views) {
  if (options.oformat != "svg" || (has_flame(views) && options.views.empty())) return false;
  return !views.empty() &&
         (has_flame(views) ? view::is_chart(views.front(), schema)
                           : std::ranges::any_of(views, [&](const view::View& view) {
                               return view::is_chart(view, schema);
                             }));
}

}  // namespace

std::string title_of(const Request& request) {
  std::string title;
  for (const dtrace::Program& program : request.programs) {
    title += (title.empty() ? "" : " ") + program.text;
  }
  return title;
}

bool is_picture(const Options& options) {
  return options.oformat == "term" || exports::find_picture(options.oformat) != nullptr;
}

bool is_binary(const Options& options) {
  if (const ExportKind* const kind = export_kind(options)) return kind->is_binary;
  return std::ranges::any_of(exports::formats(), [&](const exports::Format& format) {
    return format.name == options.oformat && format.is_binary;
  });
}

Status check_picture(const Options& options, const record::Schema& schema,
                     const std::vector<view::View>& views) {
  if (options.oformat == "term") {
    if (!views.empty()) return {};
    return Error::of(
        "oformat=term needs an aggregation, or records of other probes than BEGIN, END and tick-",
        "@[execname] = count();");
  }
  if (!is_picture(options) || has_flame(views) || draws_charts(options, schema, views)) return {};
  if (options.oformat == "svg") {
    return Error::of(
        "oformat=svg needs an aggregation, or records of other probes than BEGIN, END and tick-",
        "@[ustack()] = count();");
  }
  const exports::Format& format = *exports::find_picture(options.oformat);
  if (format.shows_time && has_timeline(views)) return {};
  return Error::of(
      fmt::format("oformat={} needs a stack in a key, and values that add up: count(), "
                  "sum() or a histogram",
                  options.oformat),
      "@[ustack()] = count();");
}

Pictures::Pictures(const Traced& traced)
    : traced_(traced),
      callbacks_(traced.callbacks),
      options_(traced.options),
      schema_(traced.schema),
      sources_(traced.sources),
      views_(traced.views),
      flames_(traced.schema) {
  for (const view::View& view : views_) {
    if (!view.root.empty()) flames_.begin_with(view.aggregations.front(), view.root);
  }
  const exports::Format* const format = exports::find_picture(options_.oformat);
  if (format != nullptr && format->shows_time && has_timeline(views_)) {
    timeline_.emplace(schema_, sources_, views_);
  }
  if (options_.oformat == "term") terminal_.emplace(schema_, sources_, flames_, views_);
  if (draws_charts(options_, schema_, views_)) charts_.emplace(schema_, sources_, views_);
}

void Pictures::watch(consumer::Consumer& consumer, consumer::FileOutput& output) {
  if (charts_) return charts_->watch(consumer);
  if (terminal_) terminal_->watch(consumer, output);
  if (timeline_) {
    consumer.when_recorded(
        [this](const record::Header& header, const record::Layout& layout,
               std::span<const std::uint8_t> bytes,
               consumer::FieldText& fields) { timeline_->record(header, layout, bytes, fields); });
  }
  consumer.when_removed([this](consumer::FieldText& fields, std::span<const std::uint8_t> key,
                               const consumer::Aggregate& aggregate, std::uint32_t element) {
    flames_.add(fields, key, aggregate, element);
  });
}

Status Pictures::draw_charts(consumer::Consumer& consumer, consumer::FileOutput& output,
                             const End& end) {
  const view::Charts charts = charts_->finish(consumer, traced_.start_ns, end.time_ns);
  if (consumer.has_given_up()) return {};
  const bool is_empty =
      std::ranges::all_of(charts.charts, [](const view::Chart& chart) { return chart.empty(); });
  if (is_empty) callbacks_.say("oformat=svg: nothing was recorded");
  // Of a picture of records, each that was lost is missing.
  return replace_output(output, end.place,
                        exports::charts_svg(charts, traced_.title, all_drops(end.drops)));
}

Status Pictures::draw(consumer::Consumer& consumer, consumer::FileOutput& output, const End& end) {
  if (charts_) return draw_charts(consumer, output, end);
  for (const view::Flame& flame : flames_.all()) {
    DT_TRY(consumer.read_aggregation(
        flame.index, [this](consumer::FieldText& fields, std::span<const std::uint8_t> key,
                            const consumer::Aggregate& aggregate, std::uint32_t element) {
          flames_.add(fields, key, aggregate, element);
        }));
  }
  if (consumer.has_given_up()) return {};  // a part would look like the whole
  if (terminal_) {
    return terminal_->finish(consumer, {lost_of(end.drops), all_drops(end.drops)}, traced_.start_ns,
                             end.time_ns);
  }
  const exports::Format& format = *exports::find_picture(options_.oformat);
  exports::Picture picture;
  picture.dropped = lost_of(end.drops);
  picture.title = traced_.title;
  picture.period_ns = period_of(schema_);
  add_layers(picture, format.shows_all);
  if (base_ != nullptr) {
    const auto before =
        std::ranges::find(base_->all(), picture.layers.front().flame->name, &view::Flame::name);
    if (before != base_->all().end()) picture.before = &before->tree;
  }
  if (timeline_) picture.timeline = &timeline_->finish(traced_.title);
  const bool has_slices = picture.timeline != nullptr && !picture.timeline->slices().empty();
  const bool is_empty =
      !has_slices && std::ranges::all_of(picture.layers, [](const exports::Layer& layer) {
        return layer.flame->tree.totals()[view::FrameTree::kRoot] == 0;
      });
  if (is_empty) {
    DT_ASSIGN(const std::string others, counted_without_stacks(consumer));
    callbacks_.say(fmt::format(
        "oformat={}: nothing was counted{}", options_.oformat,
        others.empty() ? ""
                       : " by stack, but only " + others + ", which this format does not draw"));
  }
  return replace_output(output, end.place, format.draw(picture));
}

Result<std::string> Pictures::counted_without_stacks(consumer::Consumer& consumer) const {
  std::string names;
  for (std::uint32_t i = 0; i < schema_.aggregations.size(); ++i) {
    if (std::ranges::find(flames_.all(), i, &view::Flame::index) != flames_.all().end()) continue;
    bool has_rows = false;
    DT_TRY(consumer.read_aggregation(
        i, [&](consumer::FieldText&, std::span<const std::uint8_t>, const consumer::Aggregate&,
               std::uint32_t) { has_rows = true; }));
    if (!has_rows) continue;
    if (!names.empty()) names += ", ";
    names += support::shown_name(view::aggregation_name(schema_.aggregations[i]));
  }
  return names;
}

std::string Pictures::shown(const view::Flame& flame) const {
  return support::shown_name(view::aggregation_name(schema_.aggregations[flame.index]));
}

// A format that shows one aggregation shows the first that has anything: a tool declares several,
// and its options say which of them is used.
void Pictures::add_layers(exports::Picture& picture, bool shows_all) const {
  for (const bool wants_full : {true, false}) {
    for (const view::View& view : views_) {
      if (view.kind != view::ViewKind::kFlame) continue;
      const auto flame =
          std::ranges::find(flames_.all(), view.aggregations.front(), &view::Flame::index);
      const bool is_full = flame->tree.totals()[view::FrameTree::kRoot] != 0;
      const bool is_turn = shows_all ? wants_full : is_full == wants_full;
      if (!is_turn) continue;
      if (!flame->root.empty()) {
        const std::int64_t within = flame->tree.totals()[view::FrameTree::kRoot];
        callbacks_.say(fmt::format("oformat={} shows {} of {}: what {} was doing", options_.oformat,
                                   within, within + flame->outside,
                                   support::shown_name(flame->root)));
      }
      if (flame->negative != 0) {
        callbacks_.say(fmt::format("oformat={} shows no sums below 0: {} of {}", options_.oformat,
                                   flame->negative, shown(*flame)));
      }
      if (picture.layers.empty() || shows_all) {
        picture.layers.push_back({&*flame, keys_of(*flame), view::unit_text(view.unit_ns)});
      } else if (is_full) {
        callbacks_.say(fmt::format(
            "oformat={0} shows {1} only, and not {2}; {3}{2}:flame shows that", options_.oformat,
            shown(*picture.layers.front().flame), shown(*flame), traced_.view_option));
      }
    }
  }
}

std::vector<std::string> Pictures::keys_of(const view::Flame& flame) const {
  std::vector<std::string> keys;
  for (const record::Field& key : schema_.aggregations[flame.index].keys) {
    if (!view::is_stack(key)) keys.push_back(consumer::value_name(sources_, key));
  }
  return keys;
}

}  // namespace dt::api

// -x oformat=prometheus, otlp and graphite.

#include <fmt/core.h>

#include <algorithm>
#include <functional>
#include <map>
#include <set>
#include <utility>

#include "api/options/time_text.h"
#include "api/output/export.h"
#include "consumer/structured/json_lines.h"
#include "exports/metrics.h"
#include "record/drop.h"
#include "support/shown.h"
#include "view/schema_text.h"
#include "view/ticks.h"
#include "view/unit.h"

namespace dt::api {
namespace {

// Keys beyond these are added up as "(other)", where they can be.
constexpr std::size_t kMostSeries = 10'000;

constexpr std::string_view kDropKinds[record::kDropCounters] = {
    "principal",   "aggregation",    "dynamic",     "speculative", "specbusy",
    "specunavail", "stkstroverflow", "doubleerror", "nesting"};

class MetricsExport final : public Export {
 public:
  using Put = std::function<void(std::string_view text)>;
  // `format`: prometheus, otlp or graphite. With `put`, its text is given to that, and not written.
  MetricsExport(const Traced& traced, std::string format, Put put)
      : traced_(traced),
        format_(std::move(format)),
        put_(std::move(put)),
        indices_(view::counted_aggregations(traced.schema, traced.views)),
        ticks_(traced.schema, indices_) {
    metrics_.start_ns = traced.start_ns;
    metrics_.host = traced.host;
    exports::Names names;  // @ is called after its function, which may be the name of another one
    for (const std::uint32_t index : indices_) {
      metrics_.all.push_back(metric_of(index));
      metrics_.all.back().name = names.unique(metrics_.all.back().name);
    }
    for (std::size_t i = 0; i < metrics_.all.size(); ++i) find_sum(i);
    series_.resize(indices_.size());
    written_.resize(indices_.size());
    count_drops({});
  }

  void watch(consumer::Consumer& consumer, consumer::FileOutput& output) override {
    output_ = &output;
    consumer.when_counted([this](std::span<const std::uint64_t> drops) { count_drops(drops); });
    ticks_.watch(
        consumer,
        [this](std::uint32_t aggregation, std::int64_t time_ns,
               const std::vector<view::Ticks::Row>& rows) { column(aggregation, time_ns, rows); },
        [this](std::int64_t time_ns) { over(time_ns); });
  }
  bool wants_refresh() const override {
    return (put_ || format_ != "otlp") && ticks_.wants_refresh();
  }
  void refresh(consumer::Consumer& consumer, std::int64_t time_ns) override {
    ticks_.refresh(consumer, time_ns);
  }

  Status finish(consumer::Consumer& consumer, consumer::FileOutput& output,
                const End& end) override {
    if (consumer.has_given_up()) return {};
    ticks_.finish(consumer, end.time_ns);
    metrics_.time_ns = end.time_ns;
    write_rest();
    if (put_) {
      if (!is_graphite()) put_(text());
      return {};
    }
    if (const std::uint64_t dropped = metrics_.series_dropped) {
      traced_.callbacks.say(
          fmt::format("{} keys beyond {} are added up as (other)", dropped, kMostSeries));
    }
    if (is_graphite()) return {};
    return replace_output(output, end.place, text());
  }

  // Where it is written at each tick.
  void write_to(const Place& place) override { place_ = &place; }

 private:
  bool is_graphite() const { return format_ == "graphite"; }
  bool is_prometheus() const { return format_ == "prometheus"; }
  std::string text() const {
    return is_prometheus() ? exports::prometheus(metrics_) : exports::otlp(metrics_);
  }

  exports::Metric metric_of(std::uint32_t index) const {
    const record::AggLayout& layout = traced_.schema.aggregations[index];
    exports::Metric metric;
    metric.layout = &layout;
    metric.is_native = std::ranges::any_of(traced_.views, [&](const view::View& view) {
      return view.is_native && view.aggregations.front() == index;
    });
    metric.is_gauge = view::is_gauge(layout);
    const char* const function = record::agg_func_name(layout.func);
    metric.name = layout.name == "_" ? function : layout.name;
    metric.unit = view::unit_text(view::unit_of(layout, traced_.sources));
    metric.about = fmt::format("{}({})", metric.is_gauge ? "value" : function,
                               view::argument_text(layout, traced_.sources));
    if (!metric.unit.empty()) metric.about += ", in " + metric.unit;
    for (const record::Field& key : layout.keys) {
      metric.labels.push_back(consumer::value_name(traced_.sources, key));
    }
    return metric;
  }

  static bool adds_up(const exports::Metric& metric) {
    return !metric.is_gauge && view::adds_up(metric.layout->func);
  }

  // Of a histogram: the sum() of the same values by the same keys.
  void find_sum(std::size_t at) {
    exports::Metric& metric = metrics_.all[at];
    if (!record::is_histogram(metric.layout->func)) return;
    // A variable is what its own name says; what is aggregated otherwise is the argument.
    const auto text = [&](const exports::Metric& one) {
      return view::is_variable(*one.layout) ? view::variable_name(*one.layout)
                                            : view::argument_text(*one.layout, traced_.sources);
    };
    for (std::size_t i = 0; i < metrics_.all.size(); ++i) {
      const exports::Metric& other = metrics_.all[i];
      if (other.layout->func == record::AggFunc::kSum && other.labels == metric.labels &&
          text(other) == text(metric)) {
        metric.sum = static_cast<int>(i);
      }
    }
  }

  void count_drops(std::span<const std::uint64_t> drops) {
    metrics_.drops.clear();
    const std::size_t cpus = std::max<std::size_t>(drops.size() / record::kDropCounters, 1);
    for (std::size_t cpu = 0; cpu < cpus; ++cpu) {
      for (std::uint32_t kind = 0; kind < record::kDropCounters; ++kind) {
        const std::size_t at = cpu * record::kDropCounters + kind;
        metrics_.drops.push_back(
            {kDropKinds[kind], static_cast<std::uint32_t>(cpu), at < drops.size() ? drops[at] : 0});
      }
    }
  }

  exports::Series* series_of(std::size_t at, const view::Ticks::Row& row) {
    exports::Metric& metric = metrics_.all[at];
    const auto found = series_[at].find(*row.key);
    if (found != series_[at].end()) return &metric.series[found->second];
    std::string key = *row.key;
    std::vector<std::string> labels = *row.labels;
    if (all_series_ >= kMostSeries) {
      if (left_out_.insert({at, key}).second) ++metrics_.series_dropped;
      if (!adds_up(metric)) return nullptr;
      labels.assign(metric.labels.size(), "(other)");
      const auto other = std::ranges::find(metric.series, labels, &exports::Series::labels);
      if (other != metric.series.end()) return &*other;
      key = "(other)";
    }
    ++all_series_;
    series_[at].emplace(std::move(key), metric.series.size());
    metric.series.push_back({std::move(labels), 0, {}});
    if (record::is_histogram(metric.layout->func)) {
      metric.series.back().words.resize(metric.layout->value_words);
    }
    return &metric.series.back();
  }

  void column(std::uint32_t aggregation, std::int64_t time_ns,
              const std::vector<view::Ticks::Row>& rows) {
    const auto at =
        static_cast<std::size_t>(std::ranges::find(indices_, aggregation) - indices_.begin());
    exports::Metric& metric = metrics_.all[at];
    const bool is_added = adds_up(metric);
    // Graphite is given what was added, and not the sum since the start.
    const bool is_new = is_graphite() && !written_[at].has_more;
    for (exports::Series& series : metric.series) {
      if (is_new) std::ranges::fill(series.words, 0);
      if (is_new || !is_added) series.value = 0;
    }
    if (!is_added) {  // a key that has no value has none now
      all_series_ -= metric.series.size();
      metric.series.clear();
      series_[at].clear();
    }
    for (const view::Ticks::Row& row : rows) {
      exports::Series* const series = series_of(at, row);
      if (series == nullptr) continue;
      for (std::size_t i = 0; i < series->words.size(); ++i) series->words[i] += row.added[i];
      if (!is_added) series->value = row.value;
      if (!is_added || record::is_histogram(metric.layout->func)) continue;
      series->value = static_cast<std::int64_t>(static_cast<std::uint64_t>(series->value) +
                                                static_cast<std::uint64_t>(row.value));
      if (row.value < 0 && is_prometheus() && !put_) say_that_falls(at);
    }
    if (!is_graphite()) return;
    // Carbon keeps one value of a second. What a later tick of it adds is in a later line.
    Written& written = written_[at];
    written.has_more = time_ns / kSecondNs <= written.second;
    if (written.has_more) return;
    written.second = time_ns / kSecondNs;
    write_lines(metric, time_ns);
  }

  // In seconds that have no value yet.
  void write_rest() {
    for (std::size_t at = 0; at < written_.size(); ++at) {
      if (!std::exchange(written_[at].has_more, false)) continue;
      write_lines(metrics_.all[at], ++written_[at].second * kSecondNs);
    }
  }

  // Only those to which something was added; the others were 0 before, too.
  void write_lines(const exports::Metric& metric, std::int64_t time_ns) {
    const bool is_sum = adds_up(metric) && !record::is_histogram(metric.layout->func);
    exports::Metric added = metric;
    std::erase_if(added.series,
                  [&](const exports::Series& series) { return is_sum && series.value == 0; });
    const std::string lines = exports::graphite(added, time_ns);
    if (!put_) {
      output_->write(lines);
    } else if (!lines.empty()) {
      put_(lines);
    }
  }

  void say_that_falls(std::size_t at) {
    if (!falls_.insert(at).second) return;
    traced_.callbacks.say(
        fmt::format("{} falls: values below 0 were added, and Prometheus takes that for a restart",
                    support::shown_name(view::aggregation_name(*metrics_.all[at].layout))));
  }

  // For node_exporter's collector of text files: the file is there as of each tick.
  void over(std::int64_t time_ns) {
    if (put_) return tell(time_ns);
    if (!is_prometheus() || place_ == nullptr || !place_->replaces) return;
    metrics_.time_ns = time_ns;
    const Status status = replace_output(*output_, *place_, exports::prometheus(metrics_));
    if (!status.ok() && !std::exchange(has_said_error_, true))
      traced_.callbacks.say(status.error().text);
  }

  void tell(std::int64_t time_ns) {
    if (is_graphite()) return;
    if (!pace_.is_due(time_ns)) return;
    metrics_.time_ns = time_ns;
    put_(text());
  }

  Traced traced_;
  std::string format_;
  Put put_;
  std::vector<std::uint32_t> indices_;  // by metric
  view::Ticks ticks_;
  exports::Metrics metrics_;
  exports::Pace pace_;
  std::vector<std::map<std::string, std::size_t>> series_;  // by metric: by key
  struct Written {
    std::int64_t second = 0;  // since 1970, the latest for which Graphite was given lines
    bool has_more = false;    // that came in the same second
  };
  std::vector<Written> written_;  // by metric
  std::size_t all_series_ = 0;
  std::set<std::pair<std::size_t, std::string>> left_out_;
  std::set<std::size_t> falls_;
  consumer::FileOutput* output_ = nullptr;
  const Place* place_ = nullptr;
  bool has_said_error_ = false;
};

}  // namespace

std::unique_ptr<Export> make_metrics_export(const Traced& traced) {
  return std::make_unique<MetricsExport>(traced, traced.options.oformat, nullptr);
}

std::unique_ptr<Export> make_metrics_stream(const Traced& traced, std::string format,
                                            std::function<void(std::string_view text)> put) {
  return std::make_unique<MetricsExport>(traced, std::move(format), std::move(put));
}

std::string push_format(const Options& options) {
  return options.push.starts_with("tcp:") ? "graphite" : "otlp";
}

}  // namespace dt::api

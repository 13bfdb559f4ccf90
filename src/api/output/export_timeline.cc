// -x oformat=chrome and perfetto.

#include <fmt/core.h>

#include <algorithm>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>

#include "api/output/export.h"
#include "consumer/aggregation/percentile.h"
#include "consumer/structured/drops.h"
#include "exports/timeline.h"
#include "record/printf_format.h"
#include "support/shown.h"
#include "view/flames.h"
#include "view/schema_text.h"
#include "view/ticks.h"
#include "view/timeline_maker.h"
#include "view/unit.h"

namespace dt::api {
namespace {

class TimelineExport final : public Export {
 public:
  explicit TimelineExport(const Traced& traced)
      : traced_(traced),
        maker_(traced.schema, traced.sources, traced.views),
        ticks_(traced.schema, view::counted_aggregations(traced.schema, traced.views)) {}

  void watch(consumer::Consumer& consumer, consumer::FileOutput&) override {
    consumer.when_recorded(
        [this](const record::Header& header, const record::Layout& layout,
               std::span<const std::uint8_t> bytes,
               consumer::FieldText& fields) { maker_.record(header, layout, bytes, fields); });
    consumer.when_counted([this](std::span<const std::uint64_t> drops) {
      drops_.each(drops, [this](const consumer::Loss& loss) {
        lost_ += loss.count;
        maker_.lost(loss.text, lost_);
      });
    });
    ticks_.watch(
        consumer,
        [this](std::uint32_t aggregation, std::int64_t time_ns,
               const std::vector<view::Ticks::Row>& rows) { column(aggregation, time_ns, rows); },
        {});
  }
  bool wants_refresh() const override { return ticks_.wants_refresh(); }
  void refresh(consumer::Consumer& consumer, std::int64_t time_ns) override {
    ticks_.refresh(consumer, time_ns);
  }

  Status finish(consumer::Consumer& consumer, consumer::FileOutput& output,
                const End& end) override {
    ticks_.finish(consumer, end.time_ns);
    if (consumer.has_given_up()) return {};
    maker_.lost("", lost_);  // absence means none
    const view::Timeline& timeline = maker_.finish(traced_.title);
    if (timeline.left_out != 0) {
      traced_.callbacks.say(fmt::format("oformat={} shows {} events, and leaves out {} later ones",
                                        traced_.options.oformat, view::Timeline::kMost,
                                        timeline.left_out));
    }
    const bool is_empty =
        timeline.slices().empty() && timeline.moments().empty() && timeline.counts().size() <= 1;
    if (is_empty) {
      traced_.callbacks.say(
          fmt::format("oformat={}: nothing was recorded", traced_.options.oformat));
    }
    return replace_output(output, end.place,
                          traced_.options.oformat == "chrome" ? exports::chrome(timeline)
                                                              : exports::perfetto(timeline));
  }

 private:
  // A counter for each key; of histograms those of two percentiles and of the largest value. A
  // counter keeps its value until the next one, so where nothing was added, it is set to 0.
  void column(std::uint32_t aggregation, std::int64_t time_ns,
              const std::vector<view::Ticks::Row>& rows) {
    const record::AggLayout& layout = traced_.schema.aggregations[aggregation];
    const std::string unit = view::unit_text(view::unit_of(layout, traced_.sources));
    std::set<std::string> is_counting;
    const auto put = [&](const std::string& name, std::int64_t value) {
      maker_.count(name, unit, time_ns, value);
      if (value != 0) is_counting.insert(name);
    };
    for (const view::Ticks::Row& row : rows) {
      std::string name = view::aggregation_name(layout);
      for (const std::string& label : *row.labels) name += " " + label;
      if (record::is_histogram(layout.func)) {
        each_percentile(name, layout, row.added, put);
      } else {
        put(name, row.value);
      }
    }
    if (!view::adds_up(layout.func)) return;
    std::set<std::string>& before = counting_[aggregation];
    for (const std::string& name : before) {
      if (!is_counting.contains(name)) maker_.count(name, unit, time_ns, 0);
    }
    before = std::move(is_counting);
  }

  static void each_percentile(const std::string& name, const record::AggLayout& layout,
                              const view::Columns::Words& words,
                              const std::function<void(const std::string&, std::int64_t)>& put) {
    constexpr std::int32_t kWhole = record::kWholePercentile / 100;
    for (const std::int32_t percent : {50, 99, 100}) {
      const std::string what = percent == 100 ? " max" : fmt::format(" p{}", percent);
      put(name + what, consumer::percentile(layout, words, percent * kWhole));
    }
  }

  Traced traced_;
  view::TimelineMaker maker_;
  view::Ticks ticks_;
  // By aggregation, its counters that are not 0.
  std::map<std::uint32_t, std::set<std::string>> counting_;
  consumer::Drops drops_;
  std::uint64_t lost_ = 0;
};

}  // namespace

std::unique_ptr<Export> make_timeline_export(const Traced& traced) {
  return std::make_unique<TimelineExport>(traced);
}

}  // namespace dt::api

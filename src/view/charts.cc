// Charts of aggregations; see charts.h.

#include "view/charts.h"

#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <set>

#include "consumer/aggregation/histogram.h"
#include "record/bucket_bounds.h"
#include "support/shown.h"
#include "support/whole_number.h"
#include "view/schema_text.h"
#include "view/unit.h"

namespace dt::view {
namespace {

constexpr std::size_t kMostBars = 40;
// An axis of bars: keys of one number, all of them close to each other.
constexpr std::int64_t kWidestAxis = 256;
constexpr std::size_t kMostRows = 210;  // of a heat map
constexpr std::size_t kAboutKeys = 5;

std::int64_t sum(std::int64_t a, std::int64_t b) {
  return static_cast<std::int64_t>(static_cast<std::uint64_t>(a) + static_cast<std::uint64_t>(b));
}

bool by_stack(const record::AggLayout& layout) {
  return std::ranges::any_of(layout.keys, is_stack);
}

// The values of a key. A key that is an empty text has a name, too: without one, a bar is that of
// all.
std::string joined(const std::vector<std::string>& labels) {
  if (labels.size() == 1 && labels[0].empty()) return "(empty)";
  return fmt::format("{}", fmt::join(labels, ", "));
}

}  // namespace

std::string people_text(std::int64_t value, std::uint64_t unit_ns) {
  constexpr std::pair<double, const char*> kUnits[] = {
      {1e9, "s"}, {1e6, "ms"}, {1e3, "us"}, {1, "ns"}};
  const double ns = static_cast<double>(value) * static_cast<double>(unit_ns);
  for (const auto& [size, name] : kUnits) {
    if (unit_ns != 0 && (std::abs(ns) >= size || size == 1)) {
      return fmt::format("{:.4g} {}", ns / size, name);
    }
  }
  return std::to_string(value);
}

bool Chart::empty() const {
  if (const Grid* const grid = std::get_if<Grid>(&shape)) return grid->cells.empty();
  if (const Lanes* const lanes = std::get_if<Lanes>(&shape)) return lanes->boxes.empty();
  if (const Bars* const bars = std::get_if<Bars>(&shape)) return bars->groups.empty();
  return std::get<Curves>(shape).lines.empty();
}

bool is_chart(const View& view, const record::Schema& schema) {
  if (view.kind == ViewKind::kFlame) return false;
  return std::ranges::none_of(
      view.aggregations, [&](std::uint32_t index) { return by_stack(schema.aggregations[index]); });
}

// The columns of one aggregation. When there are too many, two and two become one.
class ChartMaker::Track {
 public:
  using Counts = std::map<std::uint32_t, std::int64_t>;  // by key
  struct Column {
    std::int64_t end_ns = 0;
    std::map<std::uint32_t, Counts> buckets;  // of what is no histogram, one: 0
  };

  explicit Track(const record::AggLayout& layout)
      : layout_(layout), adds_up_(view::adds_up(layout)) {}

  void add(std::int64_t time_ns, const std::vector<Ticks::Row>& rows) {
    Column column{time_ns, {}};
    for (const Ticks::Row& row : rows) {
      const std::uint32_t key = number(row);
      if (!record::is_histogram(layout_.func)) {
        column.buckets[0][key] = row.value;
        continue;
      }
      for (std::uint32_t i = 0; i < row.added.size(); ++i) {
        if (row.added[i] != 0) column.buckets[i][key] = static_cast<std::int64_t>(row.added[i]);
      }
    }
    columns_.push_back(std::move(column));
    if (columns_.size() > 2 * kChartColumns) halve();
  }

  // What came behind the last column is none where nothing came.
  void end() {
    if (!columns_.empty() && columns_.back().buckets.empty() && columns_.size() > 1) {
      columns_.pop_back();
    }
    while (columns_.size() > kChartColumns) halve();
  }

  const std::vector<Column>& columns() const { return columns_; }
  const std::string& name(std::uint32_t key) const { return names_[key]; }
  // Of a number that is the only key.
  std::optional<std::int64_t> position(std::uint32_t key) const {
    if (layout_.keys.size() != 1 || layout_.keys[0].type.kind != record::FieldKind::kInt) return {};
    return support::whole_number<std::int64_t>(names_[key]);
  }
  bool adds_up() const { return adds_up_; }
  const record::AggLayout& layout() const { return layout_; }

  // Of all columns; of what does not add up, what the last one has.
  std::map<std::uint32_t, Counts> total() const {
    std::map<std::uint32_t, Counts> all;
    if (!adds_up_ && !columns_.empty()) return columns_.back().buckets;
    for (const Column& column : columns_) merge(all, column.buckets);
    return all;
  }
  // Keys, the largest first.
  std::vector<std::pair<std::int64_t, std::uint32_t>> largest() const {
    Counts by_key;
    if (adds_up_) {
      for (const auto& [bucket, counts] : total()) {
        for (const auto& [key, count] : counts) by_key[key] = sum(by_key[key], count);
      }
    } else {
      for (const Column& column : columns_) {
        for (const auto& [bucket, counts] : column.buckets) {
          for (const auto& [key, value] : counts) {
            const auto [at, is_new] = by_key.try_emplace(key, value);
            at->second = std::max(at->second, value);
          }
        }
      }
    }
    std::vector<std::pair<std::int64_t, std::uint32_t>> keys;
    for (const auto& [key, count] : by_key) keys.emplace_back(count, key);
    std::ranges::sort(keys, [&](const auto& a, const auto& b) {
      return a.first != b.first ? a.first > b.first : names_[a.second] < names_[b.second];
    });
    return keys;
  }

 private:
  std::uint32_t number(const Ticks::Row& row) {
    const auto [at, is_new] =
        numbers_.try_emplace(*row.key, static_cast<std::uint32_t>(names_.size()));
    if (is_new) names_.push_back(joined(*row.labels));
    return at->second;
  }
  void merge(std::map<std::uint32_t, Counts>& into,
             const std::map<std::uint32_t, Counts>& from) const {
    for (const auto& [bucket, counts] : from) {
      for (const auto& [key, count] : counts) {
        std::int64_t& at = into[bucket][key];
        at = adds_up_ ? sum(at, count) : count;
      }
    }
  }
  void halve() {
    std::vector<Column> fewer;
    for (std::size_t i = 0; i < columns_.size(); i += 2) {
      fewer.push_back(std::move(columns_[i]));
      if (i + 1 == columns_.size()) break;
      fewer.back().end_ns = columns_[i + 1].end_ns;
      merge(fewer.back().buckets, columns_[i + 1].buckets);
    }
    columns_ = std::move(fewer);
  }

  const record::AggLayout& layout_;
  bool adds_up_;
  std::vector<Column> columns_;
  std::map<std::string, std::uint32_t> numbers_;
  std::vector<std::string> names_;
};

namespace {

using Counts = std::map<std::uint32_t, std::int64_t>;

// "bash 12, cat 5 and 3 more"
template <typename Track>
std::string shares_text(const Track& track, const Counts& counts) {
  if (track.layout().keys.empty()) return "";
  std::vector<std::pair<std::int64_t, std::uint32_t>> order;
  for (const auto& [key, count] : counts) order.emplace_back(count, key);
  std::ranges::sort(order, [&](const auto& a, const auto& b) {
    return a.first != b.first ? a.first > b.first : track.name(a.second) < track.name(b.second);
  });
  std::string text;
  for (std::size_t i = 0; i < std::min(order.size(), kAboutKeys); ++i) {
    text += fmt::format("{}{} {}", i == 0 ? "" : ", ", track.name(order[i].second), order[i].first);
  }
  if (order.size() > kAboutKeys) text += fmt::format(" and {} more", order.size() - kAboutKeys);
  return text;
}

// "1024 to 2047 ns (1.024 us to 2.047 us)", "< 0", ">= 100"
std::string range_text(const record::AggLayout& layout, std::uint32_t first, std::uint32_t last,
                       std::uint64_t unit_ns) {
  const record::BucketBounds bounds(layout);
  const std::int64_t low = bounds.of(first).low, high = bounds.of(last).high;
  const std::string unit = unit_ns == 0 ? "" : std::string(" ") + unit_text(unit_ns);
  const bool is_low = low == std::numeric_limits<std::int64_t>::min();
  const bool is_high = high == std::numeric_limits<std::int64_t>::max();
  if (is_low && is_high) return "all values";
  if (is_low) return fmt::format("at most {}{}", high, unit);
  if (is_high) return fmt::format("at least {}{}", low, unit);
  if (low == high) return fmt::format("{}{}", low, unit);
  std::string text = fmt::format("{} to {}{}", low, high, unit);
  if (unit_ns != 0) {
    text += fmt::format(" ({} to {})", people_text(low, unit_ns), people_text(high, unit_ns));
  }
  return text;
}

// Of a bucket, by its least value: "1.024 us", "< 0".
std::string label_of(const record::AggLayout& layout, std::uint32_t bucket, std::uint64_t unit_ns) {
  const std::string label = consumer::bucket_label(layout, bucket);
  const std::int64_t value = support::whole_number<std::int64_t>(label).value_or(0);
  return unit_ns != 0 && value > 0 ? people_text(value, unit_ns) : label;
}

// Where a column begins: at the end of the one before it, and the first as long before its end as
// the next one is long.
template <typename Columns>
std::int64_t begin_of(const Columns& columns, std::size_t at, std::int64_t start_ns) {
  if (at > 0) return columns[at - 1].end_ns;
  if (columns.size() < 2) return std::min(start_ns, columns[0].end_ns);
  const std::int64_t length = columns[1].end_ns - columns[0].end_ns;
  return std::max(std::min(start_ns, columns[0].end_ns), columns[0].end_ns - length);
}

template <typename Track>
Grid heat_of(const Track& track, std::uint64_t unit_ns, std::int64_t start_ns) {
  Grid grid;
  std::set<std::uint32_t> met;
  for (const auto& column : track.columns()) {
    for (const auto& [bucket, counts] : column.buckets) met.insert(bucket);
  }
  if (met.empty()) return grid;
  const std::uint32_t first = *met.begin(), last = *met.rbegin();
  // Of lquantize() there may be thousands: some are one row then.
  const auto in_row = static_cast<std::uint32_t>((last - first) / kMostRows + 1);
  for (std::uint32_t bucket = first; bucket <= last; bucket += in_row) {
    grid.rows.push_back(
        {label_of(track.layout(), bucket, unit_ns),
         range_text(track.layout(), bucket, std::min(bucket + in_row - 1, last), unit_ns)});
  }
  const auto largest = track.largest();
  std::map<std::uint32_t, std::size_t> places;  // of keys with a hue
  for (std::size_t i = 0; i < std::min(largest.size(), kChartKeys) && largest.size() > 1; ++i) {
    places[largest[i].second] = i;
    grid.keys.push_back(track.name(largest[i].second));
  }
  grid.more_keys = largest.size() > kChartKeys ? largest.size() - kChartKeys : 0;
  for (std::size_t i = 0; i < track.columns().size(); ++i) {
    std::map<std::uint32_t, Counts> rows;
    for (const auto& [bucket, counts] : track.columns()[i].buckets) {
      for (const auto& [key, count] : counts) {
        std::int64_t& at = rows[(bucket - first) / in_row][key];
        at = sum(at, count);
      }
    }
    for (const auto& [row, counts] : rows) {
      Grid::Cell cell{begin_of(track.columns(), i, start_ns), track.columns()[i].end_ns, row};
      std::int64_t most = 0;
      for (const auto& [key, count] : counts) {
        cell.count = sum(cell.count, count);
        if (count <= most) continue;
        most = count;
        const auto place = places.find(key);
        cell.key = place == places.end() ? kChartKeys : place->second;
      }
      cell.about = shares_text(track, counts);
      grid.cells.push_back(std::move(cell));
    }
  }
  return grid;
}

template <typename Track>
void add_lines(Curves& out, const Track& track, const std::string& prefix, std::int64_t start_ns) {
  const auto largest = track.largest();
  std::map<std::uint32_t, std::size_t> place;
  const std::size_t own = std::min(largest.size(), kChartKeys);
  const std::size_t base = out.lines.size();
  for (std::size_t i = 0; i < own; ++i) {
    place[largest[i].second] = base + i;
    const std::string& key = track.name(largest[i].second);
    out.lines.push_back({prefix.empty() || key.empty() ? prefix + key : prefix + " " + key, {}});
  }
  const bool has_rest = largest.size() > own && track.adds_up();
  if (has_rest) {
    out.lines.push_back(
        {fmt::format("{}{}({} others)", prefix, prefix.empty() ? "" : " ", largest.size() - own),
         {}});
  }
  if (!track.adds_up()) out.left_out += largest.size() - own;
  std::map<std::size_t, std::size_t> latest;  // by line: its last column
  for (std::size_t number = 0; number < track.columns().size(); ++number) {
    const auto& column = track.columns()[number];
    std::map<std::size_t, std::int64_t> values;
    if (track.adds_up()) {
      for (std::size_t i = base; i < out.lines.size(); ++i) values[i] = 0;
    }
    if (const auto found = column.buckets.find(0); found != column.buckets.end()) {
      for (const auto& [key, value] : found->second) {
        const auto at = place.find(key);
        if (at == place.end() && !has_rest) continue;
        std::int64_t& into = values[at == place.end() ? base + own : at->second];
        into = sum(into, value);
      }
    }
    for (const auto& [line, value] : values) {
      const auto [at, is_first] = latest.try_emplace(line, number);
      const std::int64_t begin_ns =
          track.adds_up() ? begin_of(track.columns(), number, start_ns) : column.end_ns;
      out.lines[line].points.push_back(
          {begin_ns, column.end_ns, value, !is_first && number - at->second > 1});
      at->second = number;
    }
  }
}

template <typename Track>
Bars hist_of(const Track& track, std::uint64_t unit_ns) {
  Bars bars;
  const auto total = track.total();
  if (total.empty()) return bars;
  const auto largest = track.largest();
  const std::size_t own =
      largest.size() <= kChartKeys + 1 ? largest.size() : kChartKeys;  // no "1 others"
  const auto add = [&](const std::string& name, const auto& has) {
    Bars::Group group{name, {}};
    std::map<std::uint32_t, std::int64_t> counts;
    for (const auto& [bucket, by_key] : total) {
      for (const auto& [key, count] : by_key) {
        if (has(key)) counts[bucket] = sum(counts[bucket], count);
      }
    }
    for (std::uint32_t bucket = counts.begin()->first; bucket <= counts.rbegin()->first; ++bucket) {
      const auto found = counts.find(bucket);
      group.bars.push_back({label_of(track.layout(), bucket, unit_ns),
                            range_text(track.layout(), bucket, bucket, unit_ns),
                            found == counts.end() ? 0 : found->second});
    }
    bars.groups.push_back(std::move(group));
  };
  for (std::size_t i = 0; i < own; ++i) {
    add(track.name(largest[i].second), [&](std::uint32_t key) { return key == largest[i].second; });
  }
  if (largest.size() > own) {
    std::set<std::uint32_t> others;
    for (std::size_t i = own; i < largest.size(); ++i) others.insert(largest[i].second);
    add(fmt::format("({} others)", others.size()),
        [&](std::uint32_t key) { return others.contains(key); });
  }
  return bars;
}

template <typename Track>
Bars table_of(const Track& track, std::uint64_t unit_ns) {
  Bars bars;
  const auto total = track.total();
  if (total.empty()) return bars;
  const Counts& counts = total.begin()->second;
  std::vector<std::pair<std::int64_t, std::uint32_t>> order;
  for (const auto& [key, value] : counts) order.emplace_back(value, key);
  std::ranges::sort(order, [&](const auto& a, const auto& b) {
    return a.first != b.first ? a.first > b.first : track.name(a.second) < track.name(b.second);
  });
  // CPUs and similar keys stand in their own order.
  std::map<std::int64_t, std::size_t> places;
  for (std::size_t i = 0; i < order.size(); ++i) {
    if (const auto position = track.position(order[i].second)) places[*position] = i;
  }
  const bool is_axis = places.size() == order.size() && !places.empty() &&
                       places.rbegin()->first - places.begin()->first < kWidestAxis &&
                       places.begin()->first >= 0;
  Bars::Group group;
  const auto add = [&](const std::string& name, std::int64_t value) {
    group.bars.push_back({name, unit_ns == 0 ? "" : people_text(value, unit_ns), value, false});
  };
  if (is_axis) {
    for (const auto& [position, i] : places) add(track.name(order[i].second), order[i].first);
  } else {
    const std::size_t own = order.size() <= kMostBars + 1 ? order.size() : kMostBars;
    for (std::size_t i = 0; i < own; ++i) add(track.name(order[i].second), order[i].first);
    std::int64_t rest = 0;
    for (std::size_t i = own; i < order.size(); ++i) rest = sum(rest, order[i].first);
    if (own < order.size() && track.adds_up()) {
      add(fmt::format("({} others)", order.size() - own), rest);
      group.bars.back().is_of_others = true;
    } else {
      bars.left_out = order.size() - own;
    }
  }
  bars.groups.push_back(std::move(group));
  return bars;
}

std::vector<View> charts_among(const std::vector<View>& views, const record::Schema& schema) {
  std::vector<View> out;
  for (const View& view : views) {
    if (is_chart(view, schema)) out.push_back(view);
  }
  return out;
}

}  // namespace

ChartMaker::ChartMaker(const record::Schema& schema, const Sources& sources,
                       const std::vector<View>& views)
    : schema_(schema),
      sources_(sources),
      views_(charts_among(views, schema)),
      ticks_(schema, counted_aggregations(schema, views_)) {
  for (std::size_t i = 0; i < views_.size(); ++i) {
    for (const std::uint32_t index : views_[i].aggregations) {
      tracks_.emplace(index, std::make_unique<Track>(schema.aggregations[index]));
    }
    if (views_[i].layouts.empty()) continue;
    Records& records = records_[i];
    records.views = {views_[i]};
    records.maker = std::make_unique<TimelineMaker>(schema, sources, records.views);
  }
}

ChartMaker::~ChartMaker() = default;

void ChartMaker::watch(consumer::Consumer& consumer) {
  ticks_.watch(
      consumer,
      [this](std::uint32_t aggregation, std::int64_t time_ns, const std::vector<Ticks::Row>& rows) {
        tracks_.at(aggregation)->add(time_ns, rows);
      },
      {});
  if (records_.empty()) return;
  consumer.when_recorded([this](const record::Header& header, const record::Layout& layout,
                                consumer::Bytes bytes, consumer::FieldText& fields) {
    for (auto& [view, records] : records_) records.maker->record(header, layout, bytes, fields);
  });
}

Charts ChartMaker::finish(consumer::Consumer& consumer, std::int64_t start_ns,
                          std::int64_t end_ns) {
  ticks_.finish(consumer, end_ns);
  std::int64_t first = end_ns, last = start_ns;
  for (const auto& [index, track] : tracks_) {
    track->end();
    if (track->columns().empty()) continue;
    first = std::min(first, begin_of(track->columns(), 0, start_ns));
    last = std::max(last, track->columns().back().end_ns);
  }
  std::map<std::size_t, const Timeline*> timelines;
  for (auto& [number, records] : records_) {
    const Timeline& timeline = records.maker->finish("");
    if (timeline.begin_ns() == 0) continue;  // of no record
    first = std::min(first, timeline.begin_ns());
    last = std::max(last, timeline.end_ns());
  }
  begin_ns_ = std::min(first, last);
  // Times of a recording may be any: the length of an axis is a number all the same.
  constexpr std::int64_t kLongest = std::numeric_limits<std::int64_t>::max();
  if (last > 0 && begin_ns_ < last - kLongest) begin_ns_ = last - kLongest;
  begin_ns_ = std::min(begin_ns_, kLongest - 1);
  end_ns_ = std::max(last, begin_ns_ + 1);
  Charts out;
  out.begin_ns = begin_ns_;
  out.end_ns = end_ns_;
  for (std::size_t i = 0; i < views_.size(); ++i) {
    Chart chart = chart_of(views_[i], i);
    chart.title = title_of(views_[i], schema_, sources_);
    chart.unit = unit_text(views_[i].unit_ns);
    out.charts.push_back(std::move(chart));
  }
  return out;
}

Chart ChartMaker::chart_of(const View& view, std::size_t number) {
  Chart chart;
  chart.is_histogram = view.kind == ViewKind::kHistogram || view.kind == ViewKind::kHeat;
  const auto track = [&]() -> const Track& { return *tracks_.at(view.aggregations.front()); };
  const auto timeline = [&]() -> const Timeline& { return records_.at(number).maker->timeline(); };
  switch (view.kind) {
    case ViewKind::kFlame:
      break;
    case ViewKind::kHeat:
      chart.shape = heat_of(track(), view.unit_ns, begin_ns_);
      break;
    case ViewKind::kHistogram:
      chart.shape = hist_of(track(), view.unit_ns);
      break;
    case ViewKind::kTable:
      chart.shape = table_of(track(), view.unit_ns);
      break;
    case ViewKind::kLine: {
      Curves lines;
      for (const std::uint32_t index : view.aggregations) {
        const bool is_alone = view.aggregations.size() == 1;
        add_lines(lines, *tracks_.at(index),
                  is_alone && !schema_.aggregations[index].keys.empty()
                      ? ""
                      : aggregation_name(schema_.aggregations[index]),
                  begin_ns_);
      }
      lines.is_area = lines.lines.size() == 1 && tracks_.at(view.aggregations[0])->adds_up();
      chart.shape = std::move(lines);
      break;
    }
    case ViewKind::kScope:
      add_samples(chart.shape.emplace<Grid>(), timeline(), begin_ns_, end_ns_);
      break;
    case ViewKind::kEvents:
      add_moments(chart.shape.emplace<Grid>(), timeline(), begin_ns_, end_ns_);
      break;
    case ViewKind::kTimeline:
      add_slices(chart.shape.emplace<Lanes>(), timeline(), begin_ns_, end_ns_);
      break;
  }
  if (!view.layouts.empty()) {
    const Timeline& of = timeline();
    const Matched& matched = of.matched;
    if (matched.records() != 0) {
      chart.note = fmt::format(
          "{} records: {} spans of two, {} that began before, {} that had not ended, {} without "
          "partner",
          matched.records(), matched.slices, matched.open_at_start, matched.open_at_end,
          matched.unmatched);
    } else {
      chart.note = fmt::format("{} records", of.slices().size() + of.moments().size());
    }
    if (of.left_out != 0) chart.note += fmt::format("; {} later ones are left out", of.left_out);
  }
  return chart;
}

}  // namespace dt::view

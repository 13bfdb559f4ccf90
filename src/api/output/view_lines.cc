// See view_lines.h.

#include "api/output/view_lines.h"

#include <fmt/core.h>

#include <algorithm>

#include "view/schema_text.h"
#include "view/ticks.h"

namespace dt::api {

using consumer::Aggregate;
using consumer::Bytes;
using consumer::FieldText;
using view::Lines;
using Words = Lines::Words;

bool is_views(const Options& options) {
  return options.oformat == "views" || options.oformat == "html";
}

Status check_views(const Options& options, const std::vector<view::View>& views) {
  const bool is_wanted = is_views(options) || options.listen;
  if (!is_wanted || !views.empty()) return {};
  return Error::of(
      fmt::format("{} needs an aggregation, or records of other probes than BEGIN, END and tick-",
                  is_views(options) ? "oformat=" + options.oformat : "listen"),
      "@[execname] = count();");
}

ViewLines::ViewLines(const record::Schema& schema, const Sources& sources,
                     const std::vector<view::View>& views, view::LineHead head, Lines::Put put)
    : schema_(schema),
      views_(views),
      lines_(schema, sources, views_, std::move(head), std::move(put)),
      keys_(schema.aggregations.size()) {
  for (const record::AggLayout& layout : schema.aggregations) {
    tracks_.push_back({view::Columns(layout)});
  }
  for (const view::View& view : views_) {
    for (const std::uint32_t index : view.aggregations) {
      tracks_[index].is_periodic = !view.ticks.empty();
    }
  }
  for (std::uint32_t i = 0; i < tracks_.size(); ++i) {
    tracks_[i].is_printed = std::ranges::any_of(schema.layouts, [&](const auto& layout) {
      return view::is_tick(schema_, layout) && view::prints(layout, i);
    });
  }
}

void ViewLines::watch(consumer::Consumer& consumer, const view::Flames* base) {
  lines_.plan(base);
  consumer.when_recorded(
      [this](const record::Header& header, const record::Layout& layout, Bytes bytes,
             FieldText& fields) { lines_.record(fields, header, layout, bytes); });
  consumer.when_acting(
      [this, &consumer](const record::Layout& layout, const consumer::Moment& moment,
                        consumer::Side side) { acted(consumer, layout, moment, side); });
}

// What was added until now belongs to the next column.
Status ViewLines::find(consumer::Consumer& consumer, std::uint32_t aggregation) {
  return consumer.read_aggregation(
      aggregation,
      [&](FieldText& fields, Bytes key, const Aggregate& aggregate, std::uint32_t element) {
        const std::size_t known = keys_[aggregation].size();
        static_cast<void>(number_of(fields, aggregation, key));
        tracks_[aggregation].columns.found(key, aggregate.words(element),
                                           keys_[aggregation].size() != known);
      });
}

// Averages and extremes have no sum, and a flame graph has a bound of its own.
bool ViewLines::is_bounded(std::uint32_t aggregation) const {
  const record::AggLayout& layout = schema_.aggregations[aggregation];
  return view::adds_up(layout) && !view::is_flame(layout);
}

std::uint32_t ViewLines::number_of(FieldText& fields, std::uint32_t aggregation, Bytes key) {
  std::map<std::string, std::uint32_t>& known = keys_[aggregation];
  std::string text = view::key_text(key);
  if (is_bounded(aggregation) && known.size() >= kMostKeys && !known.contains(text)) {
    std::optional<std::uint32_t>& others = tracks_[aggregation].others;
    if (!others) others = lines_.others(aggregation);
    return *others;
  }
  const auto [at, is_new] = known.try_emplace(std::move(text));
  if (is_new) at->second = lines_.key(fields, aggregation, key);
  return at->second;
}

// Rows of the keys that have no number of their own are one row.
void ViewLines::join_others(std::uint32_t aggregation, std::vector<Lines::Row>& rows) const {
  const std::optional<std::uint32_t>& others = tracks_[aggregation].others;
  if (!others) return;
  Lines::Row sum{*others, Words(schema_.aggregations[aggregation].value_words)};
  bool is_there = false;
  std::erase_if(rows, [&](const Lines::Row& row) {
    if (row.key != *others) return false;
    is_there = true;
    for (std::size_t i = 0; i < std::min(sum.words.size(), row.words.size()); ++i)
      sum.words[i] += row.words[i];
    return true;
  });
  if (is_there) rows.push_back(std::move(sum));
}

// An aggregation that cannot be read is reported by the consumer.
void ViewLines::acted(consumer::Consumer& consumer, const record::Layout& layout,
                      const consumer::Moment& moment, consumer::Side side) {
  for (std::uint32_t i = 0; i < tracks_.size(); ++i) {
    if (!view::acts_on(layout, i)) continue;
    if (side == consumer::Side::kBefore) {
      static_cast<void>(find(consumer, i));
      // The clauses of a firing make one column.
      const bool makes_column = !tracks_[i].is_printed || view::prints(layout, i);
      const bool is_same_firing = moment.firing == tracks_[i].last_firing;
      if (tracks_[i].is_periodic && makes_column && !is_same_firing &&
          view::is_tick(schema_, layout)) {
        tracks_[i].last_firing = moment.firing;
        const bool is_at_once = tracks_[i].catch_up.is_at_once(moment.time_ns);
        static_cast<void>(column(consumer, i, moment.time_ns, is_at_once));
      }
      continue;
    }
    view::read_left(consumer, i, tracks_[i].columns);
  }
}

// Its elements as they are.
std::vector<Lines::Row> ViewLines::current(consumer::Consumer& consumer, std::uint32_t aggregation,
                                           bool is_normalised, std::int64_t& normal,
                                           Status& status) {
  std::vector<Lines::Row> rows;
  const std::optional<std::uint32_t>& others = tracks_[aggregation].others;
  const auto divided = [](Aggregate::Words word, std::int64_t by) {
    return static_cast<std::uint64_t>(
        consumer::scalar_value(record::AggFunc::kSum, word.first(1), by));
  };
  const bool is_histogram = record::is_histogram(schema_.aggregations[aggregation].func);
  status = consumer.read_aggregation(
      aggregation,
      [&](FieldText& fields, Bytes key, const Aggregate& aggregate, std::uint32_t element) {
        // It may have come since the last read.
        Lines::Row row{number_of(fields, aggregation, key), {}};
        normal = aggregate.normal;
        // The values of others are added first: a sum of quotients would lose the remainders.
        const std::int64_t by = is_normalised && row.key != others ? normal : 1;
        if (is_histogram) {
          const Aggregate::Words words = aggregate.words(element);
          for (std::size_t i = 0; i < words.size(); ++i) {
            row.words.push_back(divided(words.subspan(i), by));
          }
        } else {
          row.words.push_back(static_cast<std::uint64_t>(aggregate.scalar(element, by)));
        }
        rows.push_back(std::move(row));
      });
  join_others(aggregation, rows);
  if (is_normalised && !rows.empty() && rows.back().key == others) {
    for (std::uint64_t& word : rows.back().words) word = divided({&word, 1}, normal);
  }
  return rows;
}

// Of those that add up, what was added; of others, what they are.
Status ViewLines::column(consumer::Consumer& consumer, std::uint32_t aggregation,
                         std::int64_t time_ns, bool is_at_once) {
  std::vector<Lines::Row> rows;
  Status status;
  if (view::adds_up(schema_.aggregations[aggregation])) {
    for (auto& [key, words] : tracks_[aggregation].columns.take()) {
      const auto known = keys_[aggregation].find(key);
      rows.push_back(
          {known != keys_[aggregation].end() ? known->second : *tracks_[aggregation].others,
           words});
    }
    join_others(aggregation, rows);
  } else {
    std::int64_t normal = 1;
    rows = current(consumer, aggregation, false, normal, status);
  }
  if (!rows.empty() || !is_at_once) lines_.column(aggregation, time_ns, rows);
  return status;
}

void ViewLines::refresh(consumer::Consumer& consumer, std::int64_t time_ns) {
  for (std::uint32_t i = 0; i < tracks_.size(); ++i) {
    if (tracks_[i].is_periodic) continue;
    static_cast<void>(find(consumer, i));
    static_cast<void>(column(consumer, i, time_ns));
  }
}

Status ViewLines::finish(consumer::Consumer& consumer, std::int64_t time_ns,
                         std::span<const std::uint64_t> counters, std::int32_t status) {
  for (std::uint32_t i = 0; i < tracks_.size(); ++i) {
    DT_TRY(find(consumer, i));
    DT_TRY(column(consumer, i, time_ns));
    std::int64_t normal = 1;
    Status read;
    const std::vector<Lines::Row> rows = current(consumer, i, true, normal, read);
    DT_TRY(std::move(read));
    lines_.rows(i, normal, rows);
  }
  lines_.drops(counters);
  lines_.end(status);
  return {};
}

}  // namespace dt::api

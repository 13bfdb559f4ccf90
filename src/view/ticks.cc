// See ticks.h. An aggregation that cannot be read is reported by the consumer.

#include "view/ticks.h"

#include <algorithm>

#include "consumer/value/exact_text.h"
#include "view/schema_text.h"

namespace dt::view {
using consumer::Bytes;

std::vector<std::uint32_t> counted_aggregations(const record::Schema& schema,
                                                const std::vector<View>& views) {
  std::vector<std::uint32_t> all;
  for (const View& view : views) {
    for (const std::uint32_t index : view.aggregations) {
      if (std::ranges::none_of(schema.aggregations[index].keys, is_stack)) all.push_back(index);
    }
  }
  std::ranges::sort(all);
  return all;
}

void read_left(consumer::Consumer& consumer, std::uint32_t aggregation, Columns& columns) {
  columns.begin_left();
  static_cast<void>(consumer.read_aggregation(
      aggregation,
      [&columns](consumer::FieldText&, Bytes key, const consumer::Aggregate& aggregate,
                 std::uint32_t element) { columns.left(key, aggregate.words(element)); }));
}

Ticks::Ticks(const record::Schema& schema, const std::vector<std::uint32_t>& aggregations)
    : schema_(schema), is_tick_(schema.layouts.size()) {
  for (std::size_t i = 0; i < schema.layouts.size(); ++i) {
    is_tick_[i] = is_tick(schema, schema.layouts[i]);
  }
  for (const std::uint32_t index : aggregations) {
    Track& track = tracks_.emplace(index, Track{Columns(schema.aggregations[index])}).first->second;
    for (std::uint32_t i = 0; i < schema.layouts.size(); ++i) {
      track.has_ticks = track.has_ticks || (is_tick_[i] && acts_on(schema.layouts[i], index));
    }
  }
}

void Ticks::watch(consumer::Consumer& consumer, Column column, Over over) {
  column_ = std::move(column);
  over_ = std::move(over);
  consumer.when_acting(
      [this, &consumer](const record::Layout& layout, const consumer::Moment& moment,
                        consumer::Side side) { acted(consumer, layout, moment, side); });
}

bool Ticks::wants_refresh() const {
  return std::ranges::any_of(tracks_, [](const auto& one) { return !one.second.has_ticks; });
}

void Ticks::find(consumer::Consumer& consumer, std::uint32_t aggregation, Track& track) {
  static_cast<void>(consumer.read_aggregation(
      aggregation, [&](consumer::FieldText& fields, Bytes key, const consumer::Aggregate& aggregate,
                       std::uint32_t element) {
        const std::size_t known = track.labels.size();
        label(fields, aggregation, key, track);
        track.columns.found(key, aggregate.words(element), track.labels.size() != known);
      }));
}

const Ticks::Labels& Ticks::label(consumer::FieldText& fields, std::uint32_t aggregation, Bytes key,
                                  Track& track) const {
  const auto [at, is_new] = track.labels.try_emplace(key_text(key));
  if (!is_new) return *at;
  for (const record::Field& field : schema_.aggregations[aggregation].keys) {
    at->second.push_back(
        consumer::exact_text(fields, {&field.type, key.subspan(field.offset, field.type.size)}));
  }
  return *at;
}

void Ticks::give(consumer::Consumer& consumer, std::uint32_t aggregation, Track& track,
                 std::int64_t time_ns, bool is_at_once) {
  const record::AggLayout& layout = schema_.aggregations[aggregation];
  const std::map<std::string, Columns::Words> added = track.columns.take();
  std::vector<Row> rows;
  if (adds_up(layout)) {
    for (const auto& [key, words] : added) {
      const auto known = track.labels.find(key);
      if (known == track.labels.end()) continue;
      rows.push_back({&known->first, &known->second, words, static_cast<std::int64_t>(words[0])});
    }
  } else {
    static_cast<void>(consumer.read_aggregation(
        aggregation, [&](consumer::FieldText& fields, Bytes key,
                         const consumer::Aggregate& aggregate, std::uint32_t element) {
          // A min() of the largest number has such words, too; one that was cleared shows 0.
          const auto words = aggregate.words(element);
          const auto is_zero = [](std::uint64_t word) { return word == 0; };
          if (!is_gauge(layout) && std::ranges::all_of(words, is_zero) &&
              aggregate.scalar(element, 1) == 0) {
            return;
          }
          // It may have come since find().
          const Labels& known = label(fields, aggregation, key, track);
          rows.push_back(
              {&known.first, &known.second, {}, aggregate.scalar(element, aggregate.normal)});
        }));
    std::ranges::sort(rows, [](const Row& a, const Row& b) { return *a.key < *b.key; });
  }
  if (!rows.empty() || !is_at_once) column_(aggregation, time_ns, rows);
}

// A tick has several clauses: the first of its records makes the column.
void Ticks::acted(consumer::Consumer& consumer, const record::Layout& layout,
                  const consumer::Moment& moment, consumer::Side side) {
  const bool is_tick = is_tick_[static_cast<std::size_t>(&layout - schema_.layouts.data())];
  bool is_met = false;
  for (auto& [index, track] : tracks_) {
    if (!acts_on(layout, index)) continue;
    is_met = true;
    if (side == consumer::Side::kBefore) {
      find(consumer, index, track);
      if (is_tick && moment.firing != track.last_firing) {
        track.last_firing = moment.firing;
        give(consumer, index, track, moment.time_ns, track.catch_up.is_at_once(moment.time_ns));
      }
      continue;
    }
    read_left(consumer, index, track.columns);
  }
  if (side == consumer::Side::kAfter && is_tick && is_met && over_) over_(moment.time_ns);
}

void Ticks::refresh(consumer::Consumer& consumer, std::int64_t time_ns) {
  for (auto& [index, track] : tracks_) {
    if (track.has_ticks) continue;
    find(consumer, index, track);
    give(consumer, index, track, time_ns);
  }
  if (over_) over_(time_ns);
}

void Ticks::finish(consumer::Consumer& consumer, std::int64_t time_ns) {
  for (auto& [index, track] : tracks_) {
    find(consumer, index, track);
    give(consumer, index, track, time_ns);
  }
}

}  // namespace dt::view

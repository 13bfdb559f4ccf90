// See bars.h.

#include "consumer/aggregation/bars.h"

#include <algorithm>

#include "consumer/aggregation/histogram.h"

namespace dt::consumer {
namespace {

// Keys that take lines of their own cannot stand in a column.
bool has_columns(const record::AggLayout& layout) {
  for (const record::Field& field : layout.keys) {
    if (form_of(field.type.kind) == ValueForm::kFrames) {
      return false;
    }
  }
  return true;
}

std::size_t key_columns(const record::AggLayout& layout) {
  std::size_t columns = 0;
  for (const record::Field& field : layout.keys) {
    columns += 1 + column_width(field.type);
  }
  return columns;
}

}  // namespace

BarStyle bar_style(const Options& options) { return {options.agg_zoom, options.utf8}; }

void AggregationBars::append_columns(std::string& out, const RowKey& key) {
  for (const record::Field& field : key.layout->keys) {
    fields_.append_column(out, Value{&field.type, key_field(field, key.bytes)});
  }
}

bool AggregationBars::draw(Page& page, const AggregationRows& rows) {
  const Aggregate& aggregate = *rows.aggregates.front();
  const record::AggLayout& layout = aggregate.layout();
  if (rows.aggregates.size() != 1 || !has_columns(layout)) {
    return false;
  }
  const bool is_sum =
      layout.func == record::AggFunc::kCount || layout.func == record::AggFunc::kSum;
  if (options_.agg_hist && is_sum) {
    draw_bars(page, rows);
    return true;
  }
  if (options_.agg_pack && record::is_histogram(layout.func)) {
    draw_packed(page, rows);
    return true;
  }
  return false;
}

void AggregationBars::draw_bars(Page& page, const AggregationRows& rows) {
  const Aggregate& aggregate = *rows.aggregates.front();
  BarStyle zoomed = bar_style(options_);
  zoomed.zoom = true;
  BarScale scale(zoomed);
  for (std::uint32_t row = 0; row < rows.count(); ++row) {
    scale.add(aggregate.scalar(rows.element(row, 0), 1));
  }
  const std::size_t columns = key_columns(aggregate.layout());
  append_bar_header(page.text, columns == 0 ? "" : "key", columns);
  for (const PlacedRow& placed : order_.sorted(rows)) {
    if (aggregations_.gives_up()) {
      return;
    }
    const std::uint32_t element = rows.element(placed.row, 0);
    append_columns(page.text, rows.key(placed.row));
    page.text += ' ';
    append_bar_line(page.text, aggregate.scalar(element, 1),
                    aggregate.scalar(element, aggregate.normal), scale);
    page.relieve();
  }
}

void AggregationBars::draw_packed(Page& page, const AggregationRows& rows) {
  const Aggregate& aggregate = *rows.aggregates.front();
  const record::AggLayout& layout = aggregate.layout();
  BucketRange range;
  if (layout.func == record::AggFunc::kLquantize) {
    range = {0, layout.value_words - 1};
  }
  for (std::uint32_t row = 0; row < rows.count(); ++row) {
    widen(range, aggregate.words(rows.element(row, 0)));
  }
  if (range.empty()) {  // cleared: as the histogram of nothing
    range = {0, std::min<std::size_t>(1, layout.value_words - 1)};
  }
  const PackedEnds ends = packed_ends(layout, range);
  append_packed_header(page.text, range, ends, key_columns(layout));
  for (const PlacedRow& placed : order_.sorted(rows)) {
    if (aggregations_.gives_up()) {
      return;
    }
    append_columns(page.text, rows.key(placed.row));
    append_packed(page.text, layout, aggregate.words(rows.element(placed.row, 0)), aggregate.normal,
                  bar_style(options_), range, ends);
    page.text += '\n';
    page.relieve();
  }
}

}  // namespace dt::consumer

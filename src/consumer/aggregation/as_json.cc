// See as_json.h.

#include "consumer/aggregation/as_json.h"

#include <vector>

#include "consumer/structured/json_lines.h"
#include "consumer/structured/json_value.h"
#include "record/bucket_bounds.h"
#include "support/clock.h"

namespace dt::consumer {
namespace {

// The bounds of a bucket; what is open at an end has none there.
void write_bounds(support::Json& json, const record::AggLayout& layout,
                  const std::vector<std::uint64_t>& boundaries, std::size_t bucket) {
  const bool last = bucket + 1 == layout.value_words;
  switch (layout.func) {
    case record::AggFunc::kQuantize: {
      const std::int64_t begin = record::quantize_value(static_cast<std::uint32_t>(bucket));
      json.field("value", begin);
      return;
    }
    case record::AggFunc::kLquantize:
      if (bucket == 0) {
        json.field("below", layout.params.base);
      } else {
        json.field("value", record::lquantize_edge(layout.params, bucket - 1));
      }
      if (last) {
        json.key("above").boolean(true);
      }
      return;
    default:
      if (bucket == 0) {
        json.field("below", boundaries.empty() ? 0 : boundaries[0]);
      } else if (bucket <= boundaries.size()) {
        json.field("value", boundaries[bucket - 1]);
      }
      if (last) {
        json.key("above").boolean(true);
      }
      return;
  }
}

void write_buckets(support::Json& json, const record::AggLayout& layout, Aggregate::Words words,
                   std::int64_t normal) {
  std::vector<std::uint64_t> boundaries;
  if (layout.func == record::AggFunc::kLlquantize) {
    boundaries = record::llquantize_boundaries(layout.params);
  }
  json.key("buckets").begin_array();
  for (std::size_t i = 0; i < words.size(); ++i) {
    if (words[i] == 0) {
      continue;
    }
    json.begin_object();
    write_bounds(json, layout, boundaries, i);
    json.field("count", scalar_value(record::AggFunc::kSum, words.subspan(i, 1), normal));
    json.end_object();
  }
  json.end_array();
}

void write_key(support::Json& json, FieldText& fields, const Value& value) {
  if (value.type->kind != record::FieldKind::kInt) {
    json.string(fields.plain(value));
  } else {
    write_number(json, number_of(value));
  }
}

}  // namespace

void AggregationJson::append_line(Page& page, const AggregationRows& rows, std::uint32_t row,
                                  std::int64_t time) {
  const Aggregate& aggregate = *rows.aggregates[0];
  const record::AggLayout& layout = aggregate.layout();
  support::Json json(page.text);
  begin_line(json, "aggregation");
  json.field("time", time)
      .field("name", layout.name)
      .field("function", record::agg_func_name(layout.func));
  json.key("keys").begin_array();
  const RowKey key = rows.key(row);
  for (const record::Field& field : layout.keys) {
    json.begin_object();
    if (const std::string name = value_name(sources_, field); !name.empty()) {
      json.field("name", name);
    }
    write_value(json, fields_, Value{&field.type, key_field(field, key.bytes)});
    json.end_object();
  }
  json.end_array();
  if (aggregate.normal != 1) {
    json.field("normal", aggregate.normal);
  }
  const std::uint32_t element = rows.element(row, 0);
  if (record::is_histogram(layout.func)) {
    write_buckets(json, layout, aggregate.words(element), aggregate.normal);
  } else {
    json.field("value", aggregate.scalar(element, aggregate.normal));
  }
  json.end_object();
  page.text += '\n';
}

void AggregationJson::print_lines(Page& page, Indices indices) {
  for (const std::uint32_t index : indices) {
    const AggregationRows rows = aggregations_.show(Indices(&index, 1));
    if (rows.count() == 0) {
      continue;
    }
    const std::int64_t time = support::now_ns(CLOCK_REALTIME);
    if (aggregations_.has_given_up()) {
      return;
    }
    for (const PlacedRow& placed : order_.sorted(rows)) {
      if (aggregations_.gives_up()) {
        return;
      }
      append_line(page, rows, placed.row, time);
      page.relieve();
    }
  }
}

void AggregationJson::print_rest_lines(Page& page) { print_lines(page, aggregations_.unprinted()); }

void AggregationJson::write_objects(support::Json& output, Indices indices) {
  for (const std::uint32_t index : indices) {
    const AggregationRows rows = aggregations_.show(Indices(&index, 1));
    if (rows.count() == 0) {
      continue;
    }
    const Aggregate& aggregate = *rows.aggregates[0];
    const record::AggLayout& layout = aggregate.layout();
    output.begin_object().key("aggregation-data").begin_array();
    for (const PlacedRow& placed : order_.sorted(rows)) {
      if (aggregations_.gives_up()) {
        break;
      }
      const RowKey key = rows.key(placed.row);
      output.begin_object().key("keys").begin_array();
      for (const record::Field& field : layout.keys) {
        write_key(output, fields_, Value{&field.type, key_field(field, key.bytes)});
      }
      output.end_array();
      const std::uint32_t element = rows.element(placed.row, 0);
      if (record::is_histogram(layout.func)) {
        write_buckets(output, layout, aggregate.words(element), aggregate.normal);
      } else {
        output.field(record::agg_func_name(layout.func),
                     aggregate.scalar(element, aggregate.normal));
      }
      output.end_object();
    }
    output.end_array().field("aggregation-name", layout.name).end_object();
  }
}

}  // namespace dt::consumer

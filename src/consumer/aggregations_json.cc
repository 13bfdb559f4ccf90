// Aggregations as lines of JSON, one for each key.

#include "consumer/aggregations.h"
#include "consumer/json_lines.h"
#include "consumer/json_value.h"
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

}  // namespace

void Aggregations::print_lines(Page& page, Indices indices, const Sources& sources) {
  for (const std::uint32_t index : indices) {
    Aggregate* aggregate = find(index);
    const Rows rows = join(Indices(&index, 1));
    if (aggregate == nullptr || rows.count() == 0) {
      continue;
    }
    aggregate->printed = true;
    const record::AggLayout& layout = aggregate->layout();
    const std::int64_t time = support::now_ns(CLOCK_REALTIME);
    if (has_given_up_) {
      return;
    }
    for (const Placed& placed : sorted(rows)) {
      if (gives_up()) {
        return;
      }
      const Key key = key_of(rows, placed.row);
      support::Json json(page.text);
      begin_line(json, "aggregation");
      json.field("time", time)
          .field("name", layout.name)
          .field("function", record::agg_func_name(layout.func));
      json.key("keys").begin_array();
      for (const record::Field& field : layout.keys) {
        json.begin_object();
        if (const std::string name = value_name(sources, field); !name.empty()) {
          json.field("name", name);
        }
        write_value(json, fields_, Value{&field.type, key_field(field, key.bytes)});
        json.end_object();
      }
      json.end_array();
      if (aggregate->normal != 1) {
        json.field("normal", aggregate->normal);
      }
      const std::uint32_t element = rows.element(placed.row, 0);
      if (record::is_histogram(layout.func)) {
        write_buckets(json, layout, aggregate->words(element), aggregate->normal);
      } else {
        json.field("value", aggregate->scalar(element, aggregate->normal));
      }
      json.end_object();
      page.text += '\n';
      page.relieve();
    }
  }
}

void Aggregations::print_rest_lines(Page& page, const Sources& sources) {
  begin_firing();
  for (std::uint32_t index = 0; index < schema_.aggregations.size(); ++index) {
    if (!find(index)->printed) {
      print_lines(page, Indices(&index, 1), sources);
    }
  }
}

std::vector<std::uint32_t> Aggregations::unprinted() {
  begin_firing();
  std::vector<std::uint32_t> indices;
  for (std::uint32_t index = 0; index < schema_.aggregations.size(); ++index) {
    if (!find(index)->printed && current(index)->size() > 0) {
      indices.push_back(index);
    }
  }
  return indices;
}

namespace {

void write_key(support::Json& json, FieldText& fields, const Value& value) {
  if (value.type->kind != record::FieldKind::kInt) {
    json.string(fields.plain(value));
  } else {
    write_number(json, number_of(value));
  }
}

}  // namespace

void Aggregations::write_objects(support::Json& output, Indices indices) {
  for (const std::uint32_t index : indices) {
    Aggregate* aggregate = find(index);
    const Rows rows = join(Indices(&index, 1));
    if (aggregate == nullptr || rows.count() == 0) {
      continue;
    }
    aggregate->printed = true;
    const record::AggLayout& layout = aggregate->layout();
    output.begin_object().key("aggregation-data").begin_array();
    for (const Placed& placed : sorted(rows)) {
      if (gives_up()) {
        break;
      }
      const Key key = key_of(rows, placed.row);
      output.begin_object().key("keys").begin_array();
      for (const record::Field& field : layout.keys) {
        write_key(output, fields_, Value{&field.type, key_field(field, key.bytes)});
      }
      output.end_array();
      const std::uint32_t element = rows.element(placed.row, 0);
      if (record::is_histogram(layout.func)) {
        write_buckets(output, layout, aggregate->words(element), aggregate->normal);
      } else {
        output.field(record::agg_func_name(layout.func),
                     aggregate->scalar(element, aggregate->normal));
      }
      output.end_object();
    }
    output.end_array().field("aggregation-name", layout.name).end_object();
  }
}

}  // namespace dt::consumer

// Aggregations as CSV: a row for each key, with the values of all that are printed together; of a
// histogram a row for each bucket with data.

#include "consumer/aggregations.h"
#include "consumer/csv.h"
#include "consumer/histogram.h"
#include "consumer/json_lines.h"

namespace dt::consumer {
namespace {

std::string column_of(const record::AggLayout& layout) {
  return layout.name == "_" ? record::agg_func_name(layout.func) : "@" + layout.name;
}

}  // namespace

void Aggregations::csv_keys(std::vector<Csv::Cell>& cells, const Key& key, const Sources& sources) {
  for (const record::Field& field : key.layout->keys) {
    const Value value{&field.type, key_field(field, key.bytes)};
    cells.push_back({value_name(sources, field), csv_text(fields_, value), is_text(value)});
  }
}

void Aggregations::csv_buckets(Page& page, Csv& csv, std::uint32_t index, const Sources& sources) {
  const Rows rows = join(Indices(&index, 1));
  if (rows.count() == 0) {
    return;
  }
  const Aggregate& aggregate = *rows.aggregates[0];
  for (const Placed& placed : sorted(rows)) {
    if (gives_up()) {
      return;
    }
    const Aggregate::Words words = aggregate.words(rows.element(placed.row, 0));
    for (std::size_t i = 0; i < words.size(); ++i) {
      if (words[i] == 0) {
        continue;
      }
      const std::int64_t count =
          scalar_value(record::AggFunc::kSum, words.subspan(i, 1), aggregate.normal);
      std::vector<Csv::Cell> cells;
      csv_keys(cells, key_of(rows, placed.row), sources);
      cells.push_back({column_of(aggregate.layout()), bucket_label(aggregate.layout(), i)});
      cells.push_back({"count", std::to_string(count)});
      csv.append(page.text, cells);
    }
    page.relieve();
  }
}

void Aggregations::print_csv(Page& page, Csv& csv, Indices indices, const Sources& sources) {
  std::vector<std::uint32_t> scalars;
  for (const std::uint32_t index : indices) {
    Aggregate* aggregate = find(index);
    if (aggregate == nullptr) {
      continue;
    }
    if (current(index)->size() > 0) {
      aggregate->printed = true;
    }
    if (record::is_histogram(aggregate->layout().func)) {
      csv_buckets(page, csv, index, sources);
    } else {
      scalars.push_back(index);
    }
  }
  if (scalars.empty()) {
    return;
  }
  const Rows rows = join(scalars);
  if (rows.count() == 0) {
    return;
  }
  for (const Placed& placed : sorted(rows)) {
    if (gives_up()) {
      return;
    }
    std::vector<Csv::Cell> cells;
    csv_keys(cells, key_of(rows, placed.row), sources);
    for (std::size_t i = 0; i < rows.aggregates.size(); ++i) {
      const Aggregate& aggregate = *rows.aggregates[i];
      const std::uint32_t element = rows.element(placed.row, i);
      const std::int64_t value =
          element == Aggregate::kNone ? 0 : aggregate.scalar(element, aggregate.normal);
      cells.push_back({column_of(aggregate.layout()), std::to_string(value)});
    }
    csv.append(page.text, cells);
    page.relieve();
  }
}

void Aggregations::print_rest_csv(Page& page, Csv& csv, const Sources& sources) {
  for (const std::uint32_t index : unprinted()) {
    print_csv(page, csv, Indices(&index, 1), sources);
  }
}

}  // namespace dt::consumer

// Aggregations as CSV: a row for each key, with the values of all that are printed together; of a
// histogram a row for each bucket with data, unless the format asks for numbers of it alone.

#include <algorithm>
#include <iterator>

#include "consumer/aggregations.h"
#include "consumer/csv.h"
#include "consumer/histogram.h"
#include "consumer/json_lines.h"

namespace dt::consumer {
namespace {

std::string column_of(const record::AggLayout& layout) {
  return layout.name == "_" ? record::agg_func_name(layout.func) : layout.name;
}

// Of a histogram, the column with how much is in each bucket.
std::string counts_of(const record::AggLayout& layout) {
  return layout.name == "_" ? "count" : layout.name;
}

// "p99" of "%@{p99,us}.1f", behind the name that the aggregation has.
std::string column_of(const record::AggLayout& layout, const Piece& piece) {
  const std::string which = piece.modifier.substr(0, piece.modifier.find(','));
  return layout.name == "_" ? which : layout.name + ' ' + which;
}

// Keys, and the values behind them, in the order of a format that shows each of them.
Csv::Cells ordered(Csv::Cells cells, std::size_t keys, const Format& format) {
  std::vector<std::size_t> order;
  std::size_t key = 0;
  std::size_t value = keys;
  for (const Piece& piece : format) {
    if (piece.conversion == 0) continue;
    if (piece.width_argument || piece.precision_argument) return cells;
    order.push_back(piece.aggregation ? value++ : key++);
  }
  if (key != keys || value != cells.size()) return cells;
  Csv::Cells out;
  for (const std::size_t at : order) out.push_back(std::move(cells[at]));
  return out;
}

// Of keys, or of values. A heading names what they show.
Format conversions_of(const Format& format, bool of_values) {
  Format out;
  std::copy_if(format.begin(), format.end(), std::back_inserter(out),
               [of_values](const Piece& piece) {
                 return piece.conversion != 0 && piece.aggregation == of_values;
               });
  for (Piece& piece : out) piece.width = 0;
  return out;
}

}  // namespace

void Aggregations::csv_keys(std::vector<Csv::Cell>& cells, const Key& key, const Sources& sources) {
  for (const record::Field& field : key.layout->keys) {
    const Value value{&field.type, key_field(field, key.bytes)};
    cells.push_back({value_name(sources, field), csv_text(fields_, value), is_text(value), true});
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
      cells.push_back({"bucket", bucket_label(aggregate.layout(), i)});
      cells.push_back({counts_of(aggregate.layout()), std::to_string(count)});
      csv.append(page.text, cells);
    }
    page.relieve();
  }
}

// Whether the format shows all of the aggregations, and of each histogram nothing but percentiles
// and counts: then these are columns. `shown`: its conversions of values.
bool Aggregations::shows_numbers(Indices indices, const Format& shown) {
  if (shown.size() < indices.size()) return false;
  bool has_histogram = false;
  for (std::size_t i = 0; i < shown.size(); ++i) {
    const Aggregate* const aggregate = find(indices[std::min(i, indices.size() - 1)]);
    if (aggregate == nullptr) return false;
    if (!record::is_histogram(aggregate->layout().func)) continue;
    if (!shown[i].of_histogram()) return false;
    has_histogram = true;
  }
  return has_histogram;
}

// The values of a row: of each aggregation, or, if there are histograms among them, of each
// conversion.
void Aggregations::csv_values(std::vector<Csv::Cell>& cells, const Rows& rows, std::uint32_t row,
                              const Format& shown, bool has_histograms) {
  const std::size_t all = rows.aggregates.size();
  for (std::size_t i = 0; i < (has_histograms ? shown.size() : all); ++i) {
    const std::size_t at = std::min(i, all - 1);
    const Aggregate& aggregate = *rows.aggregates[at];
    const std::uint32_t element = rows.element(row, at);
    if (record::is_histogram(aggregate.layout().func)) {
      Piece plain = shown[i];
      plain.divisor = 0;
      plain.conversion = 'd';
      Csv::Cell cell{column_of(aggregate.layout(), shown[i]), {}};
      append_formatted_value(cell.text, plain, aggregate, element);
      cells.push_back(std::move(cell));
    } else {
      const std::int64_t value =
          element == Aggregate::kNone ? 0 : aggregate.scalar(element, aggregate.normal);
      cells.push_back({column_of(aggregate.layout()), std::to_string(value)});
    }
    if (i < shown.size() && shown[i].divisor != 0) {
      append_formatted_value(cells.back().in_unit, shown[i], aggregate, element);
    }
  }
}

void Aggregations::print_csv(Page& page, Csv& csv, Indices indices, const Sources& sources,
                             const Format& format) {
  const Format shown_keys = conversions_of(format, false);
  const Format shown = conversions_of(format, true);
  const bool has_histograms = shows_numbers(indices, shown);
  std::vector<std::uint32_t> scalars;
  for (const std::uint32_t index : indices) {
    Aggregate* aggregate = find(index);
    if (aggregate == nullptr) {
      continue;
    }
    if (current(index)->size() > 0) {
      aggregate->printed = true;
    }
    if (!has_histograms && record::is_histogram(aggregate->layout().func)) {
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
    const std::size_t keys = cells.size();
    const Key key = key_of(rows, placed.row);
    for (std::size_t i = 0; i < keys && i < shown_keys.size(); ++i) {
      const record::Field& field = key.layout->keys[i];
      const Value value{&field.type, key_field(field, key.bytes)};
      const Piece shown_key = of_key(shown_keys[i], field.type.kind);
      if (is_hexadecimal(shown_key) && form_of(field.type.kind) == ValueForm::kNumber) {
        cells[i].text = csv_in_unit(fields_, shown_key, value);
      } else if (shows_otherwise(shown_key)) {
        cells[i].in_unit = csv_in_unit(fields_, shown_key, value);
      }
    }
    csv_values(cells, rows, placed.row, shown, has_histograms);
    cells = ordered(std::move(cells), keys, format);
    if (rows.count() == 1) {
      Csv::Cells begun = csv.take_begun();  // of the line that printf() has begun
      cells.insert(cells.begin(), std::make_move_iterator(begun.begin()),
                   std::make_move_iterator(begun.end()));
    }
    csv.append(page.text, cells, layout_of(format));
    page.relieve();
  }
}

void Aggregations::print_rest_csv(Page& page, Csv& csv, const Sources& sources) {
  for (const std::uint32_t index : unprinted()) {
    print_csv(page, csv, Indices(&index, 1), sources);
  }
}

}  // namespace dt::consumer

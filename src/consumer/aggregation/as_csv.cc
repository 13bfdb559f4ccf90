// See as_csv.h.

#include "consumer/aggregation/as_csv.h"

#include <algorithm>
#include <iterator>
#include <string>
#include <utility>

#include "consumer/aggregation/as_text.h"
#include "consumer/aggregation/histogram.h"
#include "consumer/structured/json_lines.h"

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

void AggregationCsv::append_keys(Csv::Cells& cells, const RowKey& key) {
  for (const record::Field& field : key.layout->keys) {
    const Value value{&field.type, key_field(field, key.bytes)};
    cells.push_back({value_name(sources_, field), csv_text(fields_, value), is_text(value), true});
  }
}

// Keys as the conversions of a format show them.
void AggregationCsv::show_keys(Csv::Cells& cells, const RowKey& key, const Format& shown) {
  for (std::size_t i = 0; i < cells.size() && i < shown.size(); ++i) {
    const record::Field& field = key.layout->keys[i];
    const Value value{&field.type, key_field(field, key.bytes)};
    const Piece shown_key = conversion_of_key(shown[i], field.type.kind);
    if (is_hexadecimal(shown_key) && form_of(field.type.kind) == ValueForm::kNumber) {
      cells[i].text = csv_in_unit(fields_, shown_key, value);
    } else if (shows_otherwise(shown_key)) {
      cells[i].in_unit = csv_in_unit(fields_, shown_key, value);
    }
  }
}

void AggregationCsv::print_buckets(Page& page, Csv& csv, std::uint32_t index) {
  const AggregationRows rows = aggregations_.show(Indices(&index, 1));
  if (rows.count() == 0) {
    return;
  }
  const Aggregate& aggregate = *rows.aggregates[0];
  for (const PlacedRow& placed : order_.sorted(rows)) {
    if (aggregations_.gives_up()) {
      return;
    }
    const Aggregate::Words words = aggregate.words(rows.element(placed.row, 0));
    for (std::size_t i = 0; i < words.size(); ++i) {
      if (words[i] == 0) {
        continue;
      }
      const std::int64_t count =
          scalar_value(record::AggFunc::kSum, words.subspan(i, 1), aggregate.normal);
      Csv::Cells cells;
      append_keys(cells, rows.key(placed.row));
      cells.push_back({"bucket", bucket_label(aggregate.layout(), i)});
      cells.push_back({counts_of(aggregate.layout()), std::to_string(count)});
      csv.append(page.text, cells);
    }
    page.relieve();
  }
}

// Whether the format shows all of the aggregations, and of each histogram nothing but percentiles
// and counts: then these are columns. `shown`: its conversions of values.
bool AggregationCsv::shows_numbers(Indices indices, const Format& shown) {
  if (shown.size() < indices.size()) return false;
  bool has_histogram = false;
  for (std::size_t i = 0; i < shown.size(); ++i) {
    const std::uint32_t index = indices[std::min(i, indices.size() - 1)];
    if (!aggregations_.is_histogram(index)) continue;
    if (!shown[i].of_histogram()) return false;
    has_histogram = true;
  }
  return has_histogram;
}

// The values of a row: of each aggregation, or, if there are histograms among them, of each
// conversion.
void AggregationCsv::append_values(Csv::Cells& cells, const AggregationRows& rows,
                                   std::uint32_t row, const Format& shown, bool has_histograms) {
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
      append_number(cell.text, fields_, plain, aggregate, element);
      cells.push_back(std::move(cell));
    } else {
      const std::int64_t value =
          element == Aggregate::kNone ? 0 : aggregate.scalar(element, aggregate.normal);
      cells.push_back({column_of(aggregate.layout()), std::to_string(value)});
    }
    if (i < shown.size() && shown[i].divisor != 0) {
      append_number(cells.back().in_unit, fields_, shown[i], aggregate, element);
    }
  }
}

void AggregationCsv::print(Page& page, Csv& csv, Indices indices, const Format& format) {
  const bool has_histograms = shows_numbers(indices, conversions_of(format, true));
  std::vector<std::uint32_t> of_table;
  for (const std::uint32_t index : indices) {
    if (!has_histograms && aggregations_.is_histogram(index)) {
      print_buckets(page, csv, index);
    } else {
      of_table.push_back(index);
    }
  }
  print_table(page, csv, of_table, format, has_histograms);
}

void AggregationCsv::print_table(Page& page, Csv& csv, Indices indices, const Format& format,
                                 bool has_histograms) {
  const AggregationRows rows = aggregations_.show(indices);
  if (rows.count() == 0) {
    return;
  }
  const Format shown_keys = conversions_of(format, false);
  const Format shown = conversions_of(format, true);
  for (const PlacedRow& placed : order_.sorted(rows)) {
    if (aggregations_.gives_up()) {
      return;
    }
    Csv::Cells cells;
    const RowKey key = rows.key(placed.row);
    append_keys(cells, key);
    const std::size_t keys = cells.size();
    show_keys(cells, key, shown_keys);
    append_values(cells, rows, placed.row, shown, has_histograms);
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

void AggregationCsv::print_rest(Page& page, Csv& csv) {
  for (const std::uint32_t index : aggregations_.unprinted()) {
    print(page, csv, Indices(&index, 1));
  }
}

}  // namespace dt::consumer

// See as_text.h.

#include "consumer/aggregation/as_text.h"

#include <algorithm>
#include <cstring>

#include "consumer/aggregation/histogram.h"
#include "consumer/aggregation/percentile.h"
#include "consumer/value/fixed.h"

namespace dt::consumer {
namespace {

// A value of an aggregation, as printf conversions see it.
constexpr record::FieldType kScalar{record::FieldKind::kInt, 8, true};
constexpr std::size_t kScalarColumns = 16;

// Keys that are joined by their names (Aggregations::make_canonical).
bool is_joined_by_name(record::FieldKind kind) {
  using enum record::FieldKind;
  return kind == kSym || kind == kMod || kind == kUsym || kind == kUmod;
}

}  // namespace

AggregationText::AggregationText(Aggregations& aggregations, FieldText& fields,
                                 const Options& options)
    : aggregations_(aggregations),
      fields_(fields),
      options_(options),
      order_(fields, options),
      bars_(aggregations, fields, options) {}

Piece conversion_of_key(Piece piece, record::FieldKind kind) {
  const bool is_address = piece.conversion == 'a' || piece.conversion == 'A';
  if (is_address && is_joined_by_name(kind)) piece.conversion = 's';
  return piece;
}

void AggregationText::append_value(std::string& out, const Aggregate& aggregate,
                                   std::uint32_t element) const {
  const record::AggLayout& layout = aggregate.layout();
  const bool missing = element == Aggregate::kNone;
  if (record::is_histogram(layout.func)) {
    const std::vector<std::uint64_t> nothing(missing ? layout.value_words : 0);
    append_histogram(out, layout, missing ? Aggregate::Words(nothing) : aggregate.words(element),
                     aggregate.normal, bar_style(options_));
    return;
  }
  out += ' ';
  append_signed(out, missing ? 0 : aggregate.scalar(element, aggregate.normal), kScalarColumns);
}

// aggpercpu: below a row, the value of each CPU that has one.
void AggregationText::print_each_cpu(Page& page, const AggregationRows& rows, std::uint32_t row) {
  for (std::size_t i = 0; i < rows.aggregates.size(); ++i) {
    const std::uint32_t whole = rows.element(row, i);
    if (whole == Aggregate::kNone) {
      continue;
    }
    const Bytes key = rows.aggregates[i]->key(whole);
    const auto parts = aggregations_.of_cpus(*rows.aggregates[i]);
    for (std::size_t cpu = 0; cpu < parts.size(); ++cpu) {
      Aggregate* part = parts[cpu].get();
      const std::uint32_t element = part == nullptr ? Aggregate::kNone : part->find(key);
      if (element == Aggregate::kNone) {
        continue;
      }
      part->normal = rows.aggregates[i]->normal;
      page.text += fmt::format("    [CPU {}]", cpu);
      append_value(page.text, *part, element);
      page.text += '\n';
    }
  }
}

void AggregationText::print_rows(Page& page, const AggregationRows& rows) {
  if (aggregations_.has_given_up() || bars_.draw(page, rows)) {
    return;
  }
  for (const PlacedRow& placed : order_.sorted(rows)) {
    if (aggregations_.gives_up()) {
      return;
    }
    const RowKey key = rows.key(placed.row);
    for (const record::Field& field : key.layout->keys) {
      fields_.append_default(page.text, Value{&field.type, key_field(field, key.bytes)},
                             Place::kKey);
    }
    for (std::size_t i = 0; i < rows.aggregates.size(); ++i) {
      append_value(page.text, *rows.aggregates[i], rows.element(placed.row, i));
    }
    page.text += '\n';
    if (options_.agg_per_cpu) {
      print_each_cpu(page, rows, placed.row);
    }
    page.relieve();
  }
}

void AggregationText::print_default(Page& page, Indices indices) {
  page.text += '\n';
  const AggregationRows rows = aggregations_.show(indices);
  if (rows.count() == 0) {
    return;
  }
  print_rows(page, rows);
}

void append_number(std::string& out, FieldText& fields, const Piece& piece,
                   const Aggregate& aggregate, std::uint32_t element) {
  const bool is_missing = element == Aggregate::kNone;
  if (record::is_histogram(aggregate.layout().func)) {
    Quotient number;
    if (!is_missing) {
      const Aggregate::Words words = aggregate.words(element);
      const std::uint64_t all = static_cast<std::uint64_t>(total(words));
      number.numerator = piece.total ? scalar_value(record::AggFunc::kSum,
                                                    Aggregate::Words(&all, 1), aggregate.normal)
                                     : percentile(aggregate.layout(), words, piece.percentile);
    }
    append_fixed(out, piece, number);
    return;
  }
  if (piece.divisor != 0 || piece.conversion == 'f') {
    append_fixed(out, piece,
                 is_missing ? Quotient{} : aggregate.quotient(element, aggregate.normal));
    return;
  }
  const std::int64_t value = is_missing ? 0 : aggregate.scalar(element, aggregate.normal);
  if (is_float_conversion(piece.conversion)) {
    append_float(out, piece, static_cast<long double>(value));
    return;
  }
  std::uint8_t bytes[sizeof value];
  std::memcpy(bytes, &value, sizeof value);
  fields.append_conversion(out, piece, Value{&kScalar, bytes});
}

// Conversions take the keys in order, %@ conversions the aggregations; the
// last aggregation serves what is left of the latter.
void AggregationText::append_formatted(Page& page, const AggregationRows& rows, std::uint32_t row,
                                       const Format& format) {
  const RowKey key = rows.key(row);
  std::size_t next_key = 0;
  std::size_t next_aggregate = 0;
  const auto take_key = [&]() -> Value {
    if (next_key >= key.layout->keys.size()) {
      return {};
    }
    const record::Field& field = key.layout->keys[next_key++];
    return {&field.type, key_field(field, key.bytes)};
  };
  for (const Piece& stored : format) {
    page.text += stored.text;
    if (stored.conversion == 0) {
      continue;
    }
    Piece piece = stored;
    if (piece.width_argument) {
      const Value width = take_key();
      set_width(piece,
                width.type == nullptr ? 0 : static_cast<std::int64_t>(number_of(width).bits));
    }
    if (piece.precision_argument) {
      const Value precision = take_key();
      set_precision(piece, precision.type == nullptr
                               ? -1
                               : static_cast<std::int64_t>(number_of(precision).bits));
    }
    if (piece.aggregation) {
      const std::size_t at = std::min(next_aggregate++, rows.aggregates.size() - 1);
      const Aggregate& aggregate = *rows.aggregates[at];
      if (record::is_histogram(aggregate.layout().func) && !piece.of_histogram()) {
        append_value(page.text, aggregate, rows.element(row, at));
      } else {
        append_number(page.text, fields_, piece, aggregate, rows.element(row, at));
      }
    } else if (const Value value = take_key(); value.type != nullptr) {
      fields_.append_conversion(page.text, conversion_of_key(piece, value.type->kind), value);
    }
  }
  page.relieve();
}

void AggregationText::print_formatted(Page& page, Indices indices, const Format& format) {
  const AggregationRows rows = aggregations_.show(indices);
  if (rows.count() == 0) {
    return;
  }
  for (const PlacedRow& placed : order_.sorted(rows)) {
    if (aggregations_.gives_up()) {
      return;
    }
    append_formatted(page, rows, placed.row, format);
  }
}

void AggregationText::print_rest(Page& page) {
  std::vector<std::uint32_t> rest = aggregations_.unprinted();
  // Reversed order reverses the aggregations as well.
  if (options_.agg_sort_rev) std::ranges::reverse(rest);
  for (const std::uint32_t index : rest) {
    print_rows(page, aggregations_.show(Indices(&index, 1)));
  }
}

}  // namespace dt::consumer

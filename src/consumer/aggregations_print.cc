// The output of aggregations: printa() and what is printed at the end.

#include <cstring>

#include "consumer/aggregations.h"
#include "consumer/fixed.h"
#include "consumer/histogram.h"
#include "consumer/percentile.h"

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

Piece Aggregations::of_key(Piece piece, record::FieldKind kind) {
  const bool is_address = piece.conversion == 'a' || piece.conversion == 'A';
  if (is_address && is_joined_by_name(kind)) piece.conversion = 's';
  return piece;
}

void Aggregations::append_value(std::string& out, const Aggregate& aggregate,
                                std::uint32_t element) {
  const record::AggLayout& layout = aggregate.layout();
  const bool missing = element == Aggregate::kNone;
  if (record::is_histogram(layout.func)) {
    const std::vector<std::uint64_t> nothing(missing ? layout.value_words : 0);
    append_histogram(out, layout, missing ? Aggregate::Words(nothing) : aggregate.words(element),
                     aggregate.normal, style());
    return;
  }
  out += ' ';
  append_signed(out, missing ? 0 : aggregate.scalar(element, aggregate.normal), kScalarColumns);
}

// aggpercpu: below a row, the value of each CPU that has one.
void Aggregations::print_each_cpu(Page& page, const Rows& rows, std::uint32_t row) {
  for (std::size_t i = 0; i < rows.aggregates.size(); ++i) {
    const std::uint32_t whole = rows.element(row, i);
    const auto index =
        static_cast<std::size_t>(&rows.aggregates[i]->layout() - schema_.aggregations.data());
    if (whole == Aggregate::kNone || index >= of_cpus_.size()) {
      continue;
    }
    const Bytes key = rows.aggregates[i]->key(whole);
    for (std::size_t cpu = 0; cpu < of_cpus_[index].size(); ++cpu) {
      Aggregate* part = of_cpus_[index][cpu].get();
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

void Aggregations::print_rows(Page& page, const Rows& rows) {
  if (has_given_up_ || draw(page, rows)) {
    return;
  }
  for (const Placed& placed : sorted(rows)) {
    if (gives_up()) {
      return;
    }
    const Key key = key_of(rows, placed.row);
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

void Aggregations::print_default(Page& page, Indices indices) {
  page.text += '\n';
  const Rows rows = join(indices);
  if (rows.count() == 0) {
    return;
  }
  for (Aggregate* aggregate : rows.aggregates) {
    aggregate->printed = true;
  }
  print_rows(page, rows);
}

void Aggregations::append_formatted_value(std::string& out, const Piece& piece,
                                          const Aggregate& aggregate, std::uint32_t element) {
  const bool is_missing = element == Aggregate::kNone;
  if (record::is_histogram(aggregate.layout().func)) {
    if (!piece.of_histogram()) {
      append_value(out, aggregate, element);
      return;
    }
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
  fields_.append_conversion(out, piece, Value{&kScalar, bytes});
}

// Conversions take the keys in order, %@ conversions the aggregations; the
// last aggregation serves what is left of the latter.
void Aggregations::append_formatted(Page& page, const Rows& rows, std::uint32_t row,
                                    const Format& format) {
  const Key key = key_of(rows, row);
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
      append_formatted_value(page.text, piece, *rows.aggregates[at], rows.element(row, at));
    } else if (const Value value = take_key(); value.type != nullptr) {
      fields_.append_conversion(page.text, of_key(piece, value.type->kind), value);
    }
  }
  page.relieve();
}

void Aggregations::print_formatted(Page& page, Indices indices, const Format& format) {
  const Rows rows = join(indices);
  if (rows.count() == 0) {
    return;
  }
  for (Aggregate* aggregate : rows.aggregates) {
    aggregate->printed = true;
  }
  for (const Placed& placed : sorted(rows)) {
    if (gives_up()) {
      return;
    }
    append_formatted(page, rows, placed.row, format);
  }
}

void Aggregations::print_rest(Page& page) {
  begin_firing();
  const auto count = static_cast<std::uint32_t>(schema_.aggregations.size());
  for (std::uint32_t i = 0; i < count; ++i) {
    // Reversed order reverses the aggregations as well.
    const std::uint32_t index = options_.agg_sort_rev ? count - 1 - i : i;
    Aggregate* aggregate = find(index);
    if (aggregate->printed) {
      continue;
    }
    const Rows rows = join(Indices(&index, 1));
    if (rows.count() != 0) {
      print_rows(page, rows);
    }
  }
}

}  // namespace dt::consumer

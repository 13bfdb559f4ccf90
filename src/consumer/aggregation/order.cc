// The order of an aggregation's elements.
//
// A comparison of two keys looks at memory all over. So rows are sorted by numbers
// that are stored beside them, one after another, and by comparisons only what has equal
// numbers in all.

#include "consumer/aggregation/order.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <functional>
#include <limits>
#include <span>
#include <string_view>

#include "support/check.h"

namespace dt::consumer {
namespace {

using record::FieldKind;

// What values of a field are ordered by.
enum class Order : std::uint8_t { kNumbers, kTexts, kBytes, kWords, kNames };

Order order_of(FieldKind kind) {
  switch (kind) {
    case FieldKind::kInt:
      return Order::kNumbers;
    case FieldKind::kString:
      return Order::kTexts;
    case FieldKind::kBytes:
      return Order::kBytes;
    case FieldKind::kStack:
    case FieldKind::kUstack:
    case FieldKind::kSym:
    case FieldKind::kUaddr:
    case FieldKind::kUsym:
      return Order::kWords;
    case FieldKind::kMod:
    case FieldKind::kUmod:
    case FieldKind::kProbeProv:
    case FieldKind::kProbeMod:
    case FieldKind::kProbeFunc:
    case FieldKind::kProbeName:
    case FieldKind::kErrnoName:
    case FieldKind::kSignalName:
    case FieldKind::kSyscallName:
    case FieldKind::kUserName:
    case FieldKind::kGroupName:
      return Order::kNames;
  }
  DT_UNREACHABLE("field kind {}", static_cast<unsigned>(kind));
}

template <typename T>
int three_way(const T& a, const T& b) {
  if (a < b) {
    return -1;
  }
  return b < a ? 1 : 0;
}

// As keys print: of 4 and 8 bytes signed, whatever their type.
Number number_of_key(const Value& value) {
  Number number = number_of(value);
  if (value.type->size >= 4) {
    number.is_signed = true;
    if (value.type->size == 4) {
      number.bits = static_cast<std::uint64_t>(
          static_cast<std::int64_t>(static_cast<std::int32_t>(number.bits)));
    }
  }
  return number;
}

// By value, also where one is signed and the other is not.
int compare_numbers(const Number& a, const Number& b) {
  const bool a_negative = a.is_signed && static_cast<std::int64_t>(a.bits) < 0;
  const bool b_negative = b.is_signed && static_cast<std::int64_t>(b.bits) < 0;
  if (a_negative != b_negative) {
    return a_negative ? -1 : 1;
  }
  return three_way(a.bits, b.bits);
}

std::string_view all_bytes(Bytes bytes) {
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

int compare_words(Bytes a, Bytes b) {
  for (std::size_t at = 0; at < std::min(a.size(), b.size()); at += 8) {
    const int order = three_way(load_u64(a, at), load_u64(b, at));
    if (order != 0) {
      return order;
    }
  }
  return three_way(a.size(), b.size());
}

using Criterion = std::function<std::uint64_t(std::uint32_t row)>;
using Less = std::function<bool(std::uint32_t, std::uint32_t)>;

// Flipping the sign bit maps the order of signed numbers to that of unsigned ones.
std::uint64_t in_unsigned_order(std::int64_t value) {
  return static_cast<std::uint64_t>(value) ^ (std::uint64_t{1} << 63);
}

// Sorts by the criteria in turn, and by `less` what is equal in all of them. Sorting a million keys
// by comparisons of whole keys misses the cache with nearly every comparison. So an item is 8
// bytes, and a comparison looks at nothing else. It has room for 32 bits of a number: the first
// ones in which any two of the items differ. What is equal in those is sorted again by what is
// left.
template <typename Item>
void sort_items(std::span<Item> items, std::span<const Criterion> criteria, const Less& less) {
  constexpr int kBits = 32;
  if (items.size() < 2) {
    return;
  }
  if (criteria.empty()) {
    std::sort(items.begin(), items.end(),
              [&](const Item& a, const Item& b) { return less(a.row, b.row); });
    return;
  }
  std::uint64_t least = std::numeric_limits<std::uint64_t>::max();
  std::uint64_t most = 0;
  for (const Item& item : items) {
    const std::uint64_t number = criteria[0](item.row);
    least = std::min(least, number);
    most = std::max(most, number);
  }
  // The least value is subtracted, and of the difference the upper 32 significant bits are taken.
  // If that is all of it, the criterion is done (`rest == 0`); otherwise equal items are sorted by
  // the same criterion again, within their smaller range.
  const int rest = std::max(static_cast<int>(std::bit_width(most - least)) - kBits, 0);
  if (least != most) {
    for (Item& item : items) {
      item.number = static_cast<std::uint32_t>((criteria[0](item.row) - least) >> rest);
    }
    const auto by_number = [](const Item& a, const Item& b) { return a.number < b.number; };
    if (!std::is_sorted(items.begin(), items.end(), by_number)) {
      std::sort(items.begin(), items.end(), by_number);
    }
  }
  for (std::size_t begin = 0, end = 0; begin < items.size(); begin = end) {
    while (end < items.size() && (least == most || items[end].number == items[begin].number)) {
      ++end;
    }
    sort_items(items.subspan(begin, end - begin), rest == 0 ? criteria.subspan(1) : criteria, less);
  }
}

// The rows 0 to count - 1, by the criteria and then by `less`.
template <typename Item>
std::vector<Item> in_order(std::uint32_t count, const std::vector<Criterion>& criteria,
                           const Less& less) {
  std::vector<Item> items(count);
  for (std::uint32_t row = 0; row < count; ++row) {
    items[row] = {0, row};
  }
  sort_items(std::span(items), std::span(criteria), less);
  return items;
}

constexpr std::uint32_t kMostWords = 32;

// How many of its first words order a field by themselves; all of them when it
// `is_whole`.
struct Words {
  std::uint32_t count = 0;
  bool is_whole = false;
};

Words words_of(const record::FieldType& type) {
  switch (order_of(type.kind)) {
    case Order::kNumbers:
      return {1, true};
    case Order::kTexts:
    case Order::kBytes:
    case Order::kWords: {
      const std::uint32_t words = (type.size + 7) / 8;
      return {std::min(words, kMostWords), words <= kMostWords};
    }
    case Order::kNames:
      return {};
  }
  DT_UNREACHABLE("field kind {}", static_cast<unsigned>(type.kind));
}

// A word of a field as a number in its order. Texts compare by bytes from the front, so the first
// byte is the most significant one.
std::uint64_t number_at(const record::Field& field, std::uint32_t word, Bytes key) {
  const Bytes bytes = key_field(field, key);
  if (field.type.kind == FieldKind::kInt) {
    const Number number = number_of_key(Value{&field.type, bytes});
    return number.is_signed ? in_unsigned_order(static_cast<std::int64_t>(number.bits))
                            : number.bits;
  }
  const std::uint64_t bits = load_u64(bytes, std::size_t{word} * 8);
  const bool is_text =
      field.type.kind == FieldKind::kString || field.type.kind == FieldKind::kBytes;
  return is_text && std::endian::native == std::endian::little ? __builtin_bswap64(bits) : bits;
}

// Adds what orders keys of these fields, as far as numbers do.
template <typename KeyOf>
void add_keys(std::vector<Criterion>& criteria, const std::vector<record::Field>& fields,
              std::size_t first, const KeyOf& key_of) {
  for (std::size_t i = 0; i < fields.size(); ++i) {
    const record::Field& field = fields[(first + i) % fields.size()];
    const Words words = words_of(field.type);
    for (std::uint32_t word = 0; word < words.count; ++word) {
      criteria.emplace_back([&field, word, key_of](std::uint32_t row) {
        return number_at(field, word, key_of(row));
      });
    }
    if (!words.is_whole) {
      return;
    }
  }
}

// Whether all of its aggregations have 0, as where what was counted is gone.
bool is_zero(const AggregationRows& rows, std::uint32_t row) {
  for (std::size_t i = 0; i < rows.aggregates.size(); ++i) {
    const std::uint32_t element = rows.element(row, i);
    if (element == Aggregate::kNone) {
      continue;
    }
    const Aggregate& aggregate = *rows.aggregates[i];
    const Aggregate::Words words = aggregate.words(element);
    const bool has_value =
        record::is_histogram(aggregate.layout().func)
            ? std::ranges::any_of(words, [](std::uint64_t word) { return word != 0; })
            : aggregate.quotient(element, 1).numerator != 0;
    if (has_value) return false;
  }
  return true;
}

}  // namespace

// Keys of aggregations that are printed together have the same kinds; where
// they do not, the kinds decide, so that this is an order whatever it is given.
int AggregationOrder::compare_values(const Value& a, const Value& b) const {
  if (a.type->kind != b.type->kind) {
    return three_way(a.type->kind, b.type->kind);
  }
  switch (order_of(a.type->kind)) {
    case Order::kNumbers:
      return compare_numbers(number_of_key(a), number_of_key(b));
    case Order::kTexts:
      // Padded with zeros: bytes of one size compare as the strings do.
      return a.bytes.size() == b.bytes.size() ? three_way(all_bytes(a.bytes), all_bytes(b.bytes))
                                              : three_way(c_string(a.bytes), c_string(b.bytes));
    case Order::kBytes:
      return three_way(all_bytes(a.bytes), all_bytes(b.bytes));
    case Order::kWords:
      return compare_words(a.bytes, b.bytes);
    case Order::kNames:
      return all_bytes(a.bytes) == all_bytes(b.bytes)
                 ? 0
                 : three_way(fields_.order_name(a), fields_.order_name(b));
  }
  DT_UNREACHABLE("field kind {}", static_cast<unsigned>(a.type->kind));
}

int AggregationOrder::compare_keys(const RowKey& a, const RowKey& b, std::size_t first) const {
  const std::size_t count = a.layout->keys.size();
  if (count != b.layout->keys.size()) {
    return three_way(count, b.layout->keys.size());
  }
  for (std::size_t i = 0; i < count; ++i) {
    const record::Field& left = a.layout->keys[(first + i) % count];
    const record::Field& right = b.layout->keys[(first + i) % count];
    const int order = compare_values(Value{&left.type, key_field(left, a.bytes)},
                                     Value{&right.type, key_field(right, b.bytes)});
    if (order != 0) {
      return order;
    }
  }
  return 0;
}

std::vector<PlacedRow> AggregationOrder::by_value(const Aggregate& aggregate) const {
  const ValueOrder values(aggregate);
  const record::AggLayout* layout = &aggregate.layout();
  std::vector<Criterion> criteria = {
      [&](std::uint32_t element) { return in_unsigned_order(values.of(element)); }};
  add_keys(criteria, layout->keys, 0,
           [&](std::uint32_t element) { return aggregate.key(element); });
  return in_order<PlacedRow>(aggregate.size(), criteria, [&](std::uint32_t a, std::uint32_t b) {
    return compare_keys({layout, aggregate.key(a)}, {layout, aggregate.key(b)}, 0) < 0;
  });
}

std::vector<PlacedRow> AggregationOrder::ascending(const AggregationRows& rows,
                                                   bool is_by_key) const {
  const std::size_t n = rows.aggregates.size();
  if (rows.is_single() && !options_.agg_per_cpu) {
    rows.aggregates[0]->forget_index();
  }
  std::vector<ValueOrder> values;
  for (const Aggregate* aggregate : rows.aggregates) {
    values.emplace_back(*aggregate);
  }
  const auto rank = [&](std::uint32_t row, std::size_t at) {
    return values[at].of(rows.element(row, at));
  };
  const std::size_t first = options_.agg_sort_pos < n ? options_.agg_sort_pos : 0;
  const std::vector<record::Field>& keys = rows.aggregates[0]->layout().keys;
  const std::size_t first_key =
      options_.agg_sort_key_pos < keys.size() ? options_.agg_sort_key_pos : 0;
  const auto by_keys = [&](std::uint32_t a, std::uint32_t b) {
    return compare_keys(rows.key(a), rows.key(b), first_key);
  };
  const auto by_values = [&](std::uint32_t a, std::uint32_t b) {
    int order = 0;
    for (std::size_t i = 0; i < n && order == 0; ++i) {
      order = three_way(rank(a, (first + i) % n), rank(b, (first + i) % n));
    }
    return order;
  };
  std::vector<Criterion> criteria;
  if (!is_by_key) {
    for (std::size_t i = 0; i < n; ++i) {
      criteria.emplace_back([&, at = (first + i) % n](std::uint32_t row) {
        return in_unsigned_order(rank(row, at));
      });
    }
  }
  if (std::all_of(rows.aggregates.begin(), rows.aggregates.end(), [&](const Aggregate* aggregate) {
        return record::same_fields(aggregate->layout().keys, keys);
      })) {
    add_keys(criteria, keys, first_key, [&](std::uint32_t row) { return rows.key(row).bytes; });
  }
  return in_order<PlacedRow>(rows.count(), criteria, [&](std::uint32_t a, std::uint32_t b) {
    const int result = by_keys(a, b);
    return (result == 0 ? by_values(a, b) : result) < 0;
  });
}

std::vector<PlacedRow> AggregationOrder::sorted(const AggregationRows& rows) const {
  std::vector<PlacedRow> order = ascending(rows, options_.agg_sort_key);
  if (options_.agg_nonzero) {
    std::erase_if(order, [&](const PlacedRow& placed) { return is_zero(rows, placed.row); });
  }
  if (options_.agg_sort_rev) {
    std::reverse(order.begin(), order.end());
  }
  return order;
}

}  // namespace dt::consumer

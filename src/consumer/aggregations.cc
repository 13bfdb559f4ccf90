// Reading aggregations, acting on them, ordering and joining their elements.

#include "consumer/aggregations.h"

#include <algorithm>
#include <cstring>
#include <numeric>
#include <unordered_set>

#include "support/check.h"

namespace dt::consumer {
namespace {

using record::FieldKind;

template <typename T>
int three_way(const T& a, const T& b) {
  if (a < b) {
    return -1;
  }
  return b < a ? 1 : 0;
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

// The key `from`, laid out as `to`; false when it cannot be a key there (a
// string that does not fit, another number of fields).
bool translate(const record::AggLayout& from, Bytes key, const record::AggLayout& to,
               std::vector<std::uint8_t>& out) {
  out.assign(to.key_bytes, 0);
  if (from.keys.size() != to.keys.size()) {
    return false;
  }
  for (std::size_t i = 0; i < to.keys.size(); ++i) {
    const Bytes source = key_field(from.keys[i], key);
    const record::Field& field = to.keys[i];
    if (field.type.kind != from.keys[i].type.kind || field.offset > out.size() ||
        field.type.size > out.size() - field.offset) {
      return false;
    }
    std::uint8_t* into = out.data() + field.offset;
    if (field.type.kind == FieldKind::kInt) {
      const Number number = number_of(Value{&from.keys[i].type, source});
      std::memcpy(into, &number.bits, std::min<std::size_t>(8, field.type.size));
    } else {
      const auto end = std::find_if(source.rbegin(), source.rend(), [](auto b) { return b != 0; });
      const auto length = static_cast<std::size_t>(source.rend() - end);
      if (length > field.type.size) {
        return false;
      }
      std::copy_n(source.begin(), length, into);
    }
  }
  return true;
}

bool same_keys(const record::AggLayout& a, const record::AggLayout& b) {
  return a.key_bytes == b.key_bytes &&
         std::equal(a.keys.begin(), a.keys.end(), b.keys.begin(), b.keys.end(),
                    [](const record::Field& x, const record::Field& y) {
                      return x.type == y.type && x.offset == y.offset;
                    });
}

// The element of `to` with the key of `from`'s element.
std::uint32_t counterpart(const Aggregate& from, std::uint32_t element, const Aggregate& to) {
  if (same_keys(from.layout(), to.layout())) {
    return to.find(from.key(element));
  }
  std::vector<std::uint8_t> key;
  if (!translate(from.layout(), from.key(element), to.layout(), key)) {
    return Aggregate::kNone;
  }
  return to.find(key);
}

// Of a CPU's part, what its whole still has.
void keep_common(Aggregate* part, const Aggregate& whole) {
  if (part == nullptr) {
    return;
  }
  std::vector<std::uint32_t> kept;
  for (std::uint32_t element = 0; element < part->size(); ++element) {
    if (whole.find(part->key(element)) != Aggregate::kNone) {
      kept.push_back(element);
    }
  }
  part->keep(kept);
}

}  // namespace

Bytes key_field(const record::Field& field, Bytes key) {
  if (field.offset > key.size() || field.type.size > key.size() - field.offset) {
    return {};
  }
  return key.subspan(field.offset, field.type.size);
}

Aggregations::Aggregations(const record::Schema& schema, record::AggregationSource& source,
                           FieldText& fields, const Options& options,
                           const std::function<void(std::string_view)>& error)
    : schema_(schema), source_(source), fields_(fields), options_(options), error_(error) {}

Aggregate* Aggregations::find(std::uint32_t index) {
  if (index >= schema_.aggregations.size()) {
    return nullptr;
  }
  if (index >= aggregates_.size()) {
    aggregates_.resize(schema_.aggregations.size());
    read_at_.resize(schema_.aggregations.size());
  }
  if (aggregates_[index] == nullptr) {
    aggregates_[index] = std::make_unique<Aggregate>(schema_.aggregations[index]);
  }
  return aggregates_[index].get();
}

Aggregate* Aggregations::current(std::uint32_t index) {
  Aggregate* aggregate = find(index);
  if (aggregate != nullptr && read_at_[index] != firing_) {
    read_at_[index] = firing_;
    read(*aggregate, index);
  }
  return aggregate;
}

// Makes keys that are one key to DTrace equal in bytes.
void Aggregations::make_canonical(const record::AggLayout& layout, std::vector<std::uint8_t>& key) {
  for (const record::Field& field : layout.keys) {
    const Bytes bytes = key_field(field, key);
    if (bytes.size() != field.type.size) {
      continue;
    }
    const Value value{&field.type, bytes};
    std::uint8_t* into = key.data() + field.offset;
    switch (field.type.kind) {
      case FieldKind::kString: {
        const std::size_t length = c_string(bytes).size();
        std::memset(into + length, 0, bytes.size() - length);
        break;
      }
      case FieldKind::kProbeProv:
      case FieldKind::kProbeMod:
      case FieldKind::kProbeFunc:
      case FieldKind::kProbeName:
      case FieldKind::kSym:
      case FieldKind::kMod: {
        const std::uint64_t bits = fields_.canonical(value);
        std::memcpy(into, &bits, std::min<std::size_t>(8, bytes.size()));
        break;
      }
      case FieldKind::kUsym:
      case FieldKind::kUmod: {
        const std::uint64_t bits = fields_.canonical(value);
        if (bytes.size() >= 16) {
          std::memcpy(into + 8, &bits, 8);
        }
        break;
      }
      case FieldKind::kInt:
      case FieldKind::kBytes:
      case FieldKind::kStack:
      case FieldKind::kUstack:
      case FieldKind::kUaddr:
        break;
    }
  }
}

void Aggregations::read(Aggregate& aggregate, std::uint32_t index) {
  const record::AggLayout& layout = aggregate.layout();
  if (!layout.drained) {
    aggregate.reset();
    if (index < of_cpus_.size()) {
      of_cpus_[index].clear();
    }
  }
  std::vector<std::uint8_t> key;
  const Status status =
      source_.read(index, [&](Bytes bytes, std::uint32_t cpu, Aggregate::Words words) {
        key.assign(bytes.begin(), bytes.end());
        make_canonical(layout, key);
        aggregate.merge(key, words);
        if (options_.agg_per_cpu) {
          merge_each_cpu(index, key, cpu, words);
        }
      });
  if (!status.ok()) {
    error_(fmt::format("failed to read aggregation @{}: {}", layout.name, status.error().text));
    has_failed_ = true;
  }
}

Status Aggregations::each_row(std::uint32_t index, const VisitRow& visit) {
  const bool had_failed = std::exchange(has_failed_, false);
  const Rows rows = join(Indices(&index, 1));
  const bool fails = std::exchange(has_failed_, had_failed || has_failed_);
  if (fails) {
    return Error{fmt::format("failed to read aggregation @{}", schema_.aggregations[index].name), 0,
                 "", ""};
  }
  if (rows.elements.empty()) {
    return {};
  }
  for (const std::uint32_t row : sorted(rows)) {
    const std::uint32_t element = rows.elements[row];
    visit(rows.aggregates[0]->key(element), *rows.aggregates[0], element);
  }
  return {};
}

void Aggregations::merge_each_cpu(std::uint32_t index, Bytes key, std::uint32_t first_cpu,
                                  Aggregate::Words words) {
  const record::AggLayout& layout = schema_.aggregations[index];
  of_cpus_.resize(schema_.aggregations.size());
  std::vector<std::unique_ptr<Aggregate>>& parts = of_cpus_[index];
  const std::size_t cpus = words.size() / std::max(1U, layout.value_words);
  parts.resize(std::max(parts.size(), first_cpu + cpus));
  for (std::size_t cpu = 0; cpu < cpus; ++cpu) {
    const Aggregate::Words part = words.subspan(cpu * layout.value_words, layout.value_words);
    if (std::all_of(part.begin(), part.end(), [](std::uint64_t word) { return word == 0; })) {
      continue;
    }
    std::unique_ptr<Aggregate>& of_cpu = parts[first_cpu + cpu];
    if (of_cpu == nullptr) {
      of_cpu = std::make_unique<Aggregate>(layout);
    }
    of_cpu->merge(key, part);
  }
}

void Aggregations::note_processes(symbol::Resolver& resolver) {
  begin_firing();
  std::unordered_set<std::uint64_t> noted;
  for (std::uint32_t index = 0; index < schema_.aggregations.size(); ++index) {
    for (const record::Field& field : schema_.aggregations[index].keys) {
      if (!is_user(field.type.kind)) {
        continue;
      }
      const Aggregate& aggregate = *current(index);
      for (std::uint32_t element = 0; element < aggregate.size(); ++element) {
        const std::uint64_t tgid = load_u64(key_field(field, aggregate.key(element)), 0);
        if (noted.insert(tgid).second) {
          resolver.note_process(static_cast<std::int32_t>(tgid));
        }
      }
    }
  }
}

void Aggregations::clear(std::uint32_t index) {
  if (Aggregate* aggregate = current(index)) {
    aggregate->clear();
    if (index < of_cpus_.size()) {
      of_cpus_[index].clear();
    }
  }
}

void Aggregations::trunc(std::uint32_t index, std::int64_t count) {
  Aggregate* aggregate = current(index);
  if (aggregate == nullptr) {
    return;
  }
  if (count == 0) {
    aggregate->keep({});
  } else {
    std::vector<std::uint32_t> order = by_value(*aggregate);
    if (count > 0) {
      std::reverse(order.begin(), order.end());
    }
    const std::uint64_t wanted = count > 0 ? static_cast<std::uint64_t>(count)
                                           : std::uint64_t{0} - static_cast<std::uint64_t>(count);
    if (wanted < order.size()) {
      order.resize(static_cast<std::size_t>(wanted));
      aggregate->keep(order);
    }
  }
  if (index < of_cpus_.size()) {
    for (const std::unique_ptr<Aggregate>& part : of_cpus_[index]) {
      keep_common(part.get(), *aggregate);
    }
  }
}

void Aggregations::normalize(std::uint32_t index, std::int64_t factor) {
  Aggregate* aggregate = find(index);
  if (aggregate == nullptr) {
    return;
  }
  if (factor == 0) {
    error_(fmt::format("cannot normalize aggregation @{} by 0: ignored", aggregate->layout().name));
    return;
  }
  aggregate->normal = factor;
}

// Keys of aggregations that are printed together have the same kinds; where
// they do not, the kinds decide, so that this is an order whatever it is given.
int Aggregations::compare_values(const Value& a, const Value& b) {
  if (a.type->kind != b.type->kind) {
    return three_way(a.type->kind, b.type->kind);
  }
  switch (a.type->kind) {
    case FieldKind::kInt:
      return compare_numbers(number_of(a), number_of(b));
    case FieldKind::kString:
      // Padded with zeros: bytes of one size compare as the strings do.
      return a.bytes.size() == b.bytes.size() ? three_way(all_bytes(a.bytes), all_bytes(b.bytes))
                                              : three_way(c_string(a.bytes), c_string(b.bytes));
    case FieldKind::kBytes:
      return three_way(all_bytes(a.bytes), all_bytes(b.bytes));
    case FieldKind::kStack:
    case FieldKind::kUstack:
    case FieldKind::kSym:
    case FieldKind::kUaddr:
    case FieldKind::kUsym:
      return compare_words(a.bytes, b.bytes);
    case FieldKind::kMod:
    case FieldKind::kUmod:
    case FieldKind::kProbeProv:
    case FieldKind::kProbeMod:
    case FieldKind::kProbeFunc:
    case FieldKind::kProbeName:
      return all_bytes(a.bytes) == all_bytes(b.bytes)
                 ? 0
                 : three_way(fields_.plain(a), fields_.plain(b));
  }
  DT_UNREACHABLE("field kind {}", static_cast<unsigned>(a.type->kind));
}

int Aggregations::compare_keys(const Key& a, const Key& b, std::size_t first) {
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

// All elements, ascending by value and then by key.
std::vector<std::uint32_t> Aggregations::by_value(Aggregate& aggregate) {
  const std::vector<std::int64_t> values = value_ranks(aggregate);
  std::vector<std::uint32_t> order(aggregate.size());
  std::iota(order.begin(), order.end(), 0U);
  const record::AggLayout* layout = &aggregate.layout();
  std::sort(order.begin(), order.end(), [&](std::uint32_t a, std::uint32_t b) {
    if (values[a] != values[b]) {
      return values[a] < values[b];
    }
    return compare_keys({layout, aggregate.key(a)}, {layout, aggregate.key(b)}, 0) < 0;
  });
  return order;
}

Aggregations::Rows Aggregations::join(Indices indices) {
  Rows rows;
  for (const std::uint32_t index : indices) {
    if (Aggregate* aggregate = current(index)) {
      rows.aggregates.push_back(aggregate);
    }
  }
  const std::size_t n = rows.aggregates.size();
  for (std::size_t i = 0; i < n; ++i) {
    const Aggregate& from = *rows.aggregates[i];
    for (std::uint32_t element = 0; element < from.size(); ++element) {
      bool seen = false;
      for (std::size_t j = 0; j < i && !seen; ++j) {
        seen = counterpart(from, element, *rows.aggregates[j]) != Aggregate::kNone;
      }
      if (seen) {
        continue;
      }
      for (std::size_t j = 0; j < n; ++j) {
        if (j == i) {
          rows.elements.push_back(element);
        } else {
          rows.elements.push_back(j < i ? Aggregate::kNone
                                        : counterpart(from, element, *rows.aggregates[j]));
        }
      }
    }
  }
  return rows;
}

Aggregations::Key Aggregations::key_of(const Rows& rows, std::size_t row) const {
  const auto elements = rows.row(row);
  for (std::size_t i = 0; i < elements.size(); ++i) {
    if (elements[i] != Aggregate::kNone) {
      return {&rows.aggregates[i]->layout(), rows.aggregates[i]->key(elements[i])};
    }
  }
  DT_UNREACHABLE("a row without an element");
}

// The order in which rows are printed, under the aggsort options.
std::vector<std::uint32_t> Aggregations::sorted(const Rows& rows) {
  const std::size_t n = rows.aggregates.size();
  std::vector<std::vector<std::int64_t>> ranks;
  for (const Aggregate* aggregate : rows.aggregates) {
    ranks.push_back(value_ranks(*aggregate));
  }
  const auto rank = [&](std::uint32_t row, std::size_t at) {
    const std::uint32_t element = rows.elements[row * n + at];
    return element == Aggregate::kNone ? ranks[at].back() : ranks[at][element];
  };
  // What is compared first lies beside the row's number.
  struct Item {
    std::int64_t first;
    std::uint32_t row;
  };
  const std::size_t first = options_.agg_sort_pos < n ? options_.agg_sort_pos : 0;
  std::vector<Item> items(rows.count());
  for (std::uint32_t row = 0; row < items.size(); ++row) {
    items[row] = {rank(row, first), row};
  }
  const auto by_values = [&](const Item& a, const Item& b) {
    int order = three_way(a.first, b.first);
    for (std::size_t i = 1; i < n && order == 0; ++i) {
      order = three_way(rank(a.row, (first + i) % n), rank(b.row, (first + i) % n));
    }
    return order;
  };
  const auto by_keys = [&](const Item& a, const Item& b) {
    return compare_keys(key_of(rows, a.row), key_of(rows, b.row), options_.agg_sort_key_pos);
  };
  std::sort(items.begin(), items.end(), [&](const Item& a, const Item& b) {
    int result = options_.agg_sort_key ? by_keys(a, b) : by_values(a, b);
    if (result == 0) {
      result = options_.agg_sort_key ? by_values(a, b) : by_keys(a, b);
    }
    return options_.agg_sort_rev ? result > 0 : result < 0;
  });
  std::vector<std::uint32_t> order(items.size());
  std::transform(items.begin(), items.end(), order.begin(), [](const Item& i) { return i.row; });
  return order;
}

}  // namespace dt::consumer

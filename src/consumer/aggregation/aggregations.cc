// Reading aggregations, acting on them, joining their elements.

#include "consumer/aggregation/aggregations.h"

#include <algorithm>
#include <cstring>
#include <unordered_set>

#include "support/check.h"
#include "support/shown.h"

namespace dt::consumer {
namespace {

using record::FieldKind;

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

// The element of `to` with the key of `from`'s element.
std::uint32_t counterpart(const Aggregate& from, std::uint32_t element, const Aggregate& to) {
  if (record::same_fields(from.layout().keys, to.layout().keys)) {
    return to.find(from.key(element));
  }
  std::vector<std::uint8_t> key;
  if (!translate(from.layout(), from.key(element), to.layout(), key)) {
    return Aggregate::kNone;
  }
  return to.find(key);
}

// Of what is in ascending order, the last `count`, or for a negative count the first.
template <typename Item>
std::span<const Item> most(const std::vector<Item>& ascending, std::int64_t count) {
  const std::span<const Item> all(ascending);
  const std::uint64_t wanted = count > 0 ? static_cast<std::uint64_t>(count)
                                         : std::uint64_t{0} - static_cast<std::uint64_t>(count);
  if (wanted >= all.size()) {
    return all;
  }
  const auto size = static_cast<std::size_t>(wanted);
  return count > 0 ? all.last(size) : all.first(size);
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

Aggregations::Aggregations(const record::Schema& schema, record::AggregationSource& source,
                           FieldText& fields, const Options& options,
                           const std::function<void(std::string_view)>& error)
    : schema_(schema),
      source_(source),
      fields_(fields),
      options_(options),
      error_(error),
      order_(fields, options) {}

bool Aggregations::gives_up() {
  constexpr std::uint32_t kEvery = 256;
  if (!has_given_up_ && wants_end_ && ++rows_made_ % kEvery == 0) {
    has_given_up_ = wants_end_();
  }
  return has_given_up_;
}

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

// Makes keys that are one key to DTrace equal in bytes, so that their elements are merged. The
// kernel's table compares bytes, and two of its keys can mean the same thing: a string with other
// bytes behind its NUL, two addresses within one function for sym(), two probes of one name for
// probefunc.
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
      case FieldKind::kErrnoName:
      case FieldKind::kSignalName:
      case FieldKind::kSyscallName:
      case FieldKind::kUserName:
      case FieldKind::kGroupName:
      case FieldKind::kSym:
      case FieldKind::kMod: {
        const std::uint64_t bits = fields_.canonical(value);
        std::memcpy(into, &bits, std::min<std::size_t>(8, bytes.size()));
        break;
      }
      case FieldKind::kUaddr:
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
        break;
    }
  }
}

void Aggregations::read(Aggregate& aggregate, std::uint32_t index) {
  const record::AggLayout& layout = aggregate.layout();
  // A drained aggregation gives what was added since it was read last; any other gives the whole
  // again, so the old copy is dropped.
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
        if (!gives_up()) {
          make_canonical(layout, key);
        }
        aggregate.merge(key, words);
        if (options_.agg_per_cpu) {
          merge_each_cpu(index, key, cpu, words);
        }
      });
  if (!status.ok()) {
    failure_ = fmt::format("failed to read aggregation @{}: {}", support::shown_name(layout.name),
                           status.error().text);
    error_(*failure_);
  }
}

Status Aggregations::each_row(std::uint32_t index, const VisitRow& visit) {
  const std::optional<std::string> earlier = std::exchange(failure_, std::nullopt);
  const AggregationRows rows = join(Indices(&index, 1));
  if (failure_) {
    return Error::of(*failure_);
  }
  failure_ = earlier;
  if (rows.count() == 0) {
    return {};
  }
  for (const PlacedRow& placed : order_.sorted(rows)) {
    const std::uint32_t element = rows.element(placed.row, 0);
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

void Aggregations::tell_removed(const Aggregate& aggregate,
                                std::span<const std::uint32_t> kept) const {
  if (!removed_) {
    return;
  }
  std::vector<bool> stays(aggregate.size());
  for (const std::uint32_t element : kept) {
    stays[element] = true;
  }
  for (std::uint32_t element = 0; element < aggregate.size(); ++element) {
    if (!stays[element]) {
      removed_(aggregate.key(element), aggregate, element);
    }
  }
}

void Aggregations::clear(std::uint32_t index) {
  if (Aggregate* aggregate = current(index)) {
    tell_removed(*aggregate, {});
    aggregate->clear();
    if (index < of_cpus_.size()) {
      of_cpus_[index].clear();
    }
  }
}

void Aggregations::keep(std::uint32_t index, std::span<const std::uint32_t> elements) {
  Aggregate* aggregate = find(index);
  tell_removed(*aggregate, elements);
  aggregate->keep(elements);
  if (index < of_cpus_.size()) {
    for (const std::unique_ptr<Aggregate>& part : of_cpus_[index]) {
      keep_common(part.get(), *aggregate);
    }
  }
}

void Aggregations::trunc(Indices indices, std::int64_t count) {
  if (indices.size() == 1) {
    trunc_one(indices[0], count);
  } else {
    trunc_join(indices, count);
  }
}

void Aggregations::trunc_one(std::uint32_t index, std::int64_t count) {
  Aggregate* aggregate = current(index);
  if (aggregate == nullptr) {
    return;
  }
  std::vector<std::uint32_t> kept;
  if (count != 0) {
    const std::vector<PlacedRow> order = order_.by_value(*aggregate);
    for (const PlacedRow& placed : most(order, count)) {
      kept.push_back(placed.row);
    }
  }
  keep(index, kept);
}

void Aggregations::trunc_join(Indices indices, std::int64_t count) {
  std::vector<std::uint32_t> each;  // named twice, one would be truncated by what it was before
  for (const std::uint32_t index : indices) {
    if (current(index) != nullptr && std::find(each.begin(), each.end(), index) == each.end()) {
      each.push_back(index);
    }
  }
  const AggregationRows rows = join(each);
  std::vector<std::vector<std::uint32_t>> kept(each.size());
  if (count != 0 && rows.count() != 0) {
    const std::vector<PlacedRow> order = order_.ascending(rows, false);
    for (const PlacedRow& placed : most(order, count)) {
      for (std::size_t i = 0; i < each.size(); ++i) {
        if (rows.element(placed.row, i) != Aggregate::kNone) {
          kept[i].push_back(rows.element(placed.row, i));
        }
      }
    }
  }
  for (std::size_t i = 0; i < each.size(); ++i) {
    keep(each[i], kept[i]);
  }
}

void Aggregations::normalize(std::uint32_t index, std::int64_t factor) {
  Aggregate* aggregate = find(index);
  if (aggregate == nullptr) {
    return;
  }
  if (factor == 0) {
    error_(fmt::format("cannot normalize aggregation @{} by 0: ignored",
                       support::shown_name(aggregate->layout().name)));
    return;
  }
  aggregate->normal = factor;
}

// A row for each key that any of the aggregations has: printa("...", @a, @b). A key of the first
// aggregation is looked up in the others; a later one adds only the keys that none before it has.
AggregationRows Aggregations::join(Indices indices) {
  AggregationRows rows;
  for (const std::uint32_t index : indices) {
    if (Aggregate* aggregate = current(index)) {
      rows.aggregates.push_back(aggregate);
    }
  }
  if (rows.is_single()) {
    return rows;
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

bool Aggregations::is_histogram(std::uint32_t index) const {
  return index < schema_.aggregations.size() &&
         record::is_histogram(schema_.aggregations[index].func);
}

AggregationRows Aggregations::show(Indices indices) {
  AggregationRows rows = join(indices);
  if (rows.count() != 0) {
    for (Aggregate* aggregate : rows.aggregates) {
      aggregate->printed = true;
    }
  }
  return rows;
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

std::span<const std::unique_ptr<Aggregate>> Aggregations::of_cpus(const Aggregate& whole) const {
  const auto index = static_cast<std::size_t>(&whole.layout() - schema_.aggregations.data());
  if (index >= of_cpus_.size()) return {};
  return of_cpus_[index];
}

}  // namespace dt::consumer

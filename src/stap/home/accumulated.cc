// See accumulated.h.

#include "stap/home/accumulated.h"

#include <algorithm>
#include <cstring>
#include <utility>

#include "record/aggregation.h"

namespace dt::stap {
namespace {

using Words = Accumulated::Words;

std::int64_t extreme(Words words, std::uint64_t word) {
  return static_cast<std::int64_t>(word ^ record::extreme_bias(function_of(words)));
}

void add_words(Words words, std::vector<std::uint64_t>& into, std::span<const std::uint64_t> from) {
  if (into.empty()) into.assign(from.size(), 0);
  record::add_words(function_of(words), into, from);
}

// What words of a part say of a statistic.
void put(Words part, const std::vector<std::uint64_t>& words, Statistics& out) {
  if (words.empty()) return;
  const auto number = [&](std::size_t i) { return static_cast<std::int64_t>(words[i]); };
  switch (part) {
    case Words::kCount:
      out.count = number(0);
      break;
    case Words::kSum:
      out.sum = number(0);
      break;
    case Words::kAverage:
      out.count = number(0);
      out.sum = number(1);
      break;
    case Words::kDeviation:
      out.count = number(0);
      out.sum = number(1);
      out.set_wide(words[1], words[2], words[3], words[4]);
      break;
    case Words::kMin:
      out.min = extreme(part, words[0]);
      break;
    case Words::kMax:
      out.max = extreme(part, words[0]);
      break;
    case Words::kLog:
      for (std::uint32_t i = 0; i < words.size(); ++i) {
        if (words[i] != 0) out.logarithmic[record::quantize_value(i)] = number(i);
      }
      break;
    case Words::kLinear:
      // Word 0 is what is below 0 as a number of a bucket, which starts with -1.
      for (std::size_t i = 1; i < words.size(); ++i) {
        if (words[i] != 0) out.linear[static_cast<std::int64_t>(i) - 2] = number(i);
      }
      break;
    case Words::kBirth:
      break;
  }
}

}  // namespace

void Additions::find_aggregations() {
  for (std::size_t i = 0; i < all_.all.size(); ++i) {
    const Accumulated& one = all_.all[i];
    const bool is_array = !one.symbol->keys.empty();
    for (std::size_t part = 0; part < one.parts.size(); ++part) {
      for (int epoch = 0; epoch < (is_array ? 1 : 2); ++epoch) {
        where_[one.parts[part].aggregations[static_cast<std::size_t>(epoch)]] = {
            i, part, is_array ? -1 : epoch};
      }
    }
  }
  taken_.resize(all_.all.size());
  announced_.resize(all_.all.size());
}

bool Additions::wants(std::uint32_t aggregation, int epoch) const {
  const auto found = where_.find(aggregation);
  return found != where_.end() && (found->second.epoch < 0 || found->second.epoch == epoch);
}

// Of an element: its keys, and behind them its epoch.
std::vector<Value> Additions::keys_of(const Accumulated& of, std::span<const std::uint8_t> key,
                                      int& epoch) const {
  std::vector<Value> out;
  for (const record::Field& field : of.keys) {
    Value value;
    const std::uint8_t* const at = key.data() + field.offset;
    if (field.type.kind == record::FieldKind::kString) {
      value.text.assign(reinterpret_cast<const char*>(at),
                        ::strnlen(reinterpret_cast<const char*>(at), field.type.size));
    } else {
      constexpr std::uint32_t kBits = 8;
      std::uint64_t bits = 0;
      std::memcpy(&bits, at, field.type.size);
      const auto unused = static_cast<std::uint32_t>(sizeof bits - field.type.size) * kBits;
      value.number = field.type.is_signed ? static_cast<std::int64_t>(bits << unused) >> unused
                                          : static_cast<std::int64_t>(bits);
    }
    out.push_back(std::move(value));
  }
  epoch = static_cast<int>(out.back().number);
  out.pop_back();
  return out;
}

std::vector<std::uint8_t> Additions::present_key(const Accumulated& of,
                                                 const std::vector<Value>& keys) const {
  std::vector<std::uint8_t> out(of.present_bytes, 0);
  for (std::size_t i = 0; i < keys.size(); ++i) {
    const record::FieldType& type = of.keys[i].type;
    std::uint8_t* const to = out.data() + of.present_offsets[i];
    if (type.kind == record::FieldKind::kString) {
      std::memcpy(to, keys[i].text.data(),
                  std::min<std::size_t>(keys[i].text.size(), type.size - 1));
    } else {
      std::memcpy(to, &keys[i].number, type.size);
    }
  }
  return out;
}

void Additions::add(std::uint32_t aggregation, std::span<const std::uint8_t> key,
                    std::span<const std::uint64_t> words, int epoch) {
  const Where& where = where_.at(aggregation);
  const Accumulated& of = all_.all[where.variable];
  const Words part = of.parts[where.part].words;
  std::vector<Value> keys;
  std::string name;
  if (where.epoch < 0) {
    int its = 0;
    keys = keys_of(of, key, its);
    if (its != epoch) {
      later_.push_back({aggregation, {key.begin(), key.end()}, {words.begin(), words.end()}});
      return;
    }
    name = Array::key_of(keys, of.symbol->keys);
  }
  Taken& taken = taken_[where.variable][name];
  taken.keys = std::move(keys);
  taken.words.resize(of.parts.size());
  // Without keys, the words of each CPU.
  const std::size_t each = source_.words_of(aggregation);
  for (std::size_t at = 0; at + each <= words.size(); at += each) {
    add_words(part, taken.words[where.part], words.subspan(at, each));
  }
}

void Additions::put_scalar(const Accumulated& of, const Taken& taken) {
  Global& global = global_(*of.symbol);
  if (of.symbol->type != Type::kStats) {
    const std::uint64_t more = taken.words[0].empty() ? 0 : taken.words[0][0];
    global.value.number =
        static_cast<std::int64_t>(static_cast<std::uint64_t>(global.value.number) + more);
    return;
  }
  Statistics made;
  for (std::size_t i = 0; i < of.parts.size(); ++i) put(of.parts[i].words, taken.words[i], made);
  global.statistics.bounds = of.symbol->histogram;
  global.statistics.merge(made);
}

// New elements stand in the order in which they were made.
void Additions::put_elements(const Accumulated& of, std::unordered_map<std::string, Taken>& taken) {
  const std::size_t birth = of.parts.size() - 1;
  std::vector<std::pair<std::int64_t, const std::pair<const std::string, Taken>*>> order;
  for (const auto& one : taken) {
    const auto& words = one.second.words[birth];
    order.emplace_back(words.empty() ? 0 : extreme(Words::kBirth, words[0]), &one);
  }
  std::sort(order.begin(), order.end());
  Array& array = global_(*of.symbol).array;
  const std::int64_t most = program_.limits.most_elements(*of.symbol);
  for (const auto& [born, one] : order) {
    Element* const element =
        array.make(one->first, one->second.keys, static_cast<std::size_t>(most), false);
    if (element == nullptr) {
      full_(*of.symbol, of.place);
      continue;
    }
    if (of.symbol->type != Type::kStats) {
      const auto& sum = one->second.words[0];
      element->value.number = static_cast<std::int64_t>(
          static_cast<std::uint64_t>(element->value.number) + (sum.empty() ? 0 : sum[0]));
      continue;
    }
    Statistics made;
    for (std::size_t i = 0; i < of.parts.size(); ++i) {
      put(of.parts[i].words, one->second.words[i], made);
    }
    element->statistics.bounds = of.symbol->histogram;
    element->statistics.merge(made);
  }
}

// The order of the steps: firings that begin behind the first one add to the other epoch; take()
// waits for those that have begun before; then nothing is added to the old epoch any more.
std::string Additions::take() {
  if (where_.empty()) find_aggregations();
  std::int64_t* const word = source_.word(all_.epoch);
  const int old = static_cast<int>(__atomic_fetch_xor(word, 1, __ATOMIC_ACQ_REL) & 1);
  const std::vector<Later> now = std::exchange(later_, {});
  for (const Later& one : now) add(one.aggregation, one.key, one.words, old);
  std::string wrong = source_.take(
      [&](std::uint32_t aggregation) { return wants(aggregation, old); },
      [&](std::uint32_t aggregation, std::span<const std::uint8_t> key,
          std::span<const std::uint64_t> words) { add(aggregation, key, words, old); });
  for (std::size_t i = 0; i < all_.all.size(); ++i) {
    const Accumulated& of = all_.all[i];
    if (of.symbol->keys.empty()) {
      for (const auto& [key, taken] : taken_[i]) put_scalar(of, taken);
    } else {
      put_elements(of, taken_[i]);
    }
    taken_[i].clear();
  }
  return wrong;
}

void Additions::tell() {
  if (where_.empty()) find_aggregations();
  for (std::size_t i = 0; i < all_.all.size(); ++i) {
    const Accumulated& of = all_.all[i];
    if (of.symbol->keys.empty()) continue;
    std::unordered_set<std::string> now;
    std::int64_t change = 0;
    for (const Element& one : global_(*of.symbol).array.elements()) {
      const std::vector<std::uint8_t> key = present_key(of, one.keys);
      std::string name(key.begin(), key.end());
      const bool is_new = announced_[i].erase(name) == 0;
      if (is_new && source_.set_element(of.present, key, true)) ++change;
      now.insert(std::move(name));
    }
    for (const std::string& gone : announced_[i]) {
      const std::vector<std::uint8_t> key(gone.begin(), gone.end());
      if (source_.set_element(of.present, key, false)) --change;
    }
    announced_[i] = std::move(now);
    __atomic_fetch_add(source_.word(of.used), change, __ATOMIC_RELAXED);
  }
}

// Nothing was added since take(), so the elements that there are here are all.
void Additions::release() {
  tell();
  for (std::size_t i = 0; i < all_.all.size(); ++i) {
    const Accumulated& of = all_.all[i];
    if (of.symbol->keys.empty()) continue;
    __atomic_store_n(source_.word(of.used), static_cast<std::int64_t>(announced_[i].size()),
                     __ATOMIC_RELAXED);
  }
  __atomic_fetch_and(source_.word(all_.epoch), 1, __ATOMIC_RELEASE);
}

}  // namespace dt::stap

// See aggregations.h.

#include "runtime/aggregations.h"

#include <algorithm>
#include <cstring>
#include <iterator>

#include "support/check.h"

namespace dt::runtime {
namespace {

std::span<const std::uint64_t> as_words(const std::uint8_t* value, std::size_t count) {
  return {reinterpret_cast<const std::uint64_t*>(value), count};
}

}  // namespace

Aggregations::Aggregations(kernel::Kernel& kernel, const bpf::Memory& memory,
                           const record::Schema& schema, const Maps& maps)
    : kernel_(kernel),
      memory_(memory),
      schema_(schema),
      maps_(maps),
      erased_(memory.added_counters()) {
  std::vector<Counted> shared(memory.aggs.size());  // by aggregation whose map it is
  for (std::uint32_t i = 0; i < schema.aggregations.size(); ++i) {
    const record::AggLayout& layout = schema.aggregations[i];
    keys_.push_back(bpf::agg_key(layout));
    taken_.emplace_back(layout);
    has_drained_ |= layout.drained && has_generations(i);
    if (!is_keyed(i)) continue;
    Counted& table = shared[memory.agg_map(i)];
    table.counters.push_back(i);
    table.entries = maps.aggregations()[memory.agg_map(i)].spec.entries;
    (layout.drained ? table.has_drained : table.has_kept) = true;
  }
  std::copy_if(shared.begin(), shared.end(), std::back_inserter(tables_),
               [](const Counted& table) { return !table.counters.empty(); });
  for (std::uint32_t i = 0; i < memory.stacks.size(); ++i) {
    const bool drained = memory.stacks[i].drained;
    tables_.push_back({.counters = {static_cast<std::uint32_t>(memory.aggs.size()) + i},
                       .entries = maps.stacks()[i].spec.entries,
                       .has_kept = !drained,
                       .has_drained = drained});
  }
  if (tables_.empty()) look_ms_ = kLateMs;
}

std::uint64_t Aggregations::added(std::uint32_t counter) const {
  std::uint64_t sum = 0;
  for (std::uint32_t cpu = 0; cpu < memory_.machine.cpus; ++cpu) {
    const auto* const counters =
        reinterpret_cast<const std::uint64_t*>(maps_.block(cpu) + memory_.added_offset);
    sum += __atomic_load_n(counters + counter, __ATOMIC_RELAXED);
  }
  return sum;
}

// When programs have added more than an eighth of a table since the last call, look_ms() becomes
// shorter, and otherwise longer.
Status Aggregations::relieve() {
  bool is_full[2] = {false, false}, grows = false;
  for (Counted& table : tables_) {
    std::uint64_t sum = 0, used = 0;
    for (const std::uint32_t counter : table.counters) {
      const std::uint64_t count = added(counter);
      sum += count;
      used += count - erased_[counter];
    }
    grows |= (sum - table.seen) * 8 > table.entries;
    table.seen = sum;
    if (used * 2 <= table.entries) continue;
    is_full[0] |= table.has_kept;
    is_full[1] |= table.has_drained;
  }
  if (!tables_.empty()) {
    look_ms_ = grows ? std::max(look_ms_ / 4, kSoonMs) : std::min(look_ms_ * 2, kLateMs);
  }
  for (const bool drained : {false, true}) {
    if (!is_full[drained ? 1 : 0]) continue;
    if (Status status = drain_all(drained); !status.ok()) {
      return std::move(status.error()).with("make room in aggregations");
    }
  }
  return {};
}

bool Aggregations::is_keyed(std::uint32_t aggregation) const {
  return schema_.aggregations[aggregation].key_bytes != 0;
}

bool Aggregations::has_generations(std::uint32_t aggregation) const {
  return is_keyed(aggregation) || memory_.joined.distance(aggregation) != 0;
}

Status Aggregations::read(std::uint32_t aggregation, const Visit& visit) {
  DT_CHECK(aggregation < schema_.aggregations.size(), "aggregation {}", aggregation);
  const record::AggLayout& layout = schema_.aggregations[aggregation];
  Status status;
  if (!has_generations(aggregation)) {
    read_keyless(aggregation, layout.drained, 0, visit);
  } else if (!layout.drained) {
    taken_[aggregation].each(visit);
    status = each_element(aggregation, [&](const std::uint8_t*, Prefix prefix, const auto& key,
                                           const auto& words) { visit(key, prefix.cpu, words); });
  } else {
    if (!is_in_moment_ || !is_drained_) {
      status = drain_all(true);
      is_drained_ = status.ok();
    }
    // Drained elements are delivered even if a later aggregation could not be read.
    taken_[aggregation].each(visit);
    taken_[aggregation].clear();
  }
  if (!status.ok()) {
    return std::move(status.error()).with(fmt::format("read aggregation @{}", layout.name));
  }
  return {};
}

Status Aggregations::take(const std::function<bool(std::uint32_t aggregation)>& wants,
                          const VisitAll& visit) {
  const auto is_meant = [&](std::uint32_t i) {
    return schema_.aggregations[i].drained && wants(i);
  };
  // A firing that has begun before this call may add to the generation that drain_all() begins.
  Status status = kernel_.wait_grace_period();
  if (status.ok() && has_drained_) status = drain_all(true);
  for (std::uint32_t i = 0; i < schema_.aggregations.size(); ++i) {
    if (!is_meant(i)) continue;
    const Visit one = [&](auto key, auto cpu, auto words) { visit(i, key, cpu, words); };
    if (has_generations(i)) {
      taken_[i].each(one);
      taken_[i].clear();
    } else if (status.ok()) {
      read_keyless(i, true, 0, one);
    }
  }
  return status;
}

// The words of a CPU and behind them its presence, which is not 0 once a program has written. To
// take a word is one exchange: an addition on that CPU is either in what we get or in what stays.
void Aggregations::read_keyless(std::uint32_t aggregation, bool take, std::uint32_t generation,
                                const Visit& visit) {
  const std::uint32_t count = schema_.aggregations[aggregation].value_words;
  const std::uint32_t offset =
      memory_.agg_offset[aggregation] + generation * memory_.joined.distance(aggregation);
  std::vector<std::uint64_t> words;
  words.reserve(std::size_t{count} * memory_.machine.cpus);
  std::uint64_t any = 0;
  const auto get = [&](std::uint64_t* word) {
    return take ? __atomic_exchange_n(word, 0, __ATOMIC_ACQ_REL)
                : __atomic_load_n(word, __ATOMIC_ACQUIRE);
  };
  for (std::uint32_t cpu = 0; cpu < memory_.machine.cpus; ++cpu) {
    auto* const word = reinterpret_cast<std::uint64_t*>(maps_.block(cpu) + offset);
    for (std::uint32_t i = 0; i < count; ++i) {
      words.push_back(get(word + i));
      // A word without its presence (which a program is about to write, or
      // which the previous read took) is data all the same.
      any |= words.back();
    }
    any |= get(word + count);
  }
  if (any != 0) {
    visit({}, 0, words);
  }
}

Status Aggregations::each_element(std::uint32_t aggregation, const VisitElement& visit) {
  const record::AggLayout& layout = schema_.aggregations[aggregation];
  const bpf::AggKey& key_layout = keys_[aggregation];
  const Maps::Table& table = maps_.aggregations()[memory_.agg_map(aggregation)];
  const std::uint32_t own = memory_.agg_number(aggregation);
  const bpf::FindFrames find = [&](std::uint32_t bytes, std::uint64_t number, std::uint8_t* to) {
    const Maps::Table& stacks = maps_.stacks()[memory_.stack_table(bytes, layout.drained)];
    return kernel_.lookup(stacks.fd, &number, to).ok();
  };
  std::vector<std::uint8_t> whole;
  bool are_found = true;
  DT_TRY(kernel_.for_each(
      table.fd, table.spec, [&](const std::uint8_t* stored, const std::uint8_t* value) {
        Prefix prefix;
        std::memcpy(&prefix, stored, sizeof prefix);
        // Several aggregations with keys of one size share a map.
        if (prefix.aggregation != own) return;
        std::span<const std::uint8_t> key(stored + sizeof prefix, layout.key_bytes);
        if (key_layout.has_numbers) {
          const std::span<const std::uint8_t> all(stored, key_layout.bytes);
          if (!bpf::whole_key(layout, key_layout, all, find, whole)) {
            are_found = false;
            return;
          }
          key = whole;
        }
        visit(stored, prefix, key, as_words(value, layout.value_words));
      }));
  // Programs enter a stack before the key that has its number.
  return are_found ? Status() : Status(Error::of("a stack is not in its table"));
}

// The order of the steps is what makes the counts exact:
//
//   1. flip the generation   programs that begin now write elements of the new one
//   2. wait                  until programs have ended that read the old number before the flip
//   3. read and delete       no program adds to the old elements any more
//
// Without 2, an addition between reading and deleting would be lost. Two generations are enough,
// because the old one is drained before the next flip.
Status Aggregations::drain_all(bool drained) {
  std::uint32_t* const generation = &maps_.control().generation[drained ? 1 : 0];
  const std::uint32_t old = __atomic_load_n(generation, __ATOMIC_RELAXED);
  __atomic_store_n(generation, old ^ 1, __ATOMIC_RELEASE);
  DT_TRY(kernel_.wait_grace_period());
  for (std::uint32_t i = 0; i < schema_.aggregations.size(); ++i) {
    if (schema_.aggregations[i].drained != drained || !has_generations(i)) continue;
    if (is_keyed(i)) {
      DT_TRY(drain(i, old));
      continue;
    }
    const std::size_t words = schema_.aggregations[i].value_words;
    read_keyless(i, true, old, [&](auto key, std::uint32_t, auto all) {
      for (std::size_t cpu = 0; cpu < memory_.machine.cpus; ++cpu) {
        taken_[i].add(key, static_cast<std::uint16_t>(cpu), all.subspan(cpu * words, words));
      }
    });
  }
  return drain_stacks(drained, old);
}

// All keys that had them are gone.
Status Aggregations::drain_stacks(bool drained, std::uint32_t generation) {
  for (std::size_t i = 0; i < memory_.stacks.size(); ++i) {
    if (memory_.stacks[i].drained != drained) {
      continue;
    }
    const Maps::Table& table = maps_.stacks()[i];
    std::vector<std::uint8_t> numbers;
    DT_TRY(kernel_.for_each(table.fd, table.spec,
                            [&](const std::uint8_t* number, const std::uint8_t*) {
                              if ((*number & 1) == (generation & 1)) {
                                numbers.insert(numbers.end(), number, number + 8);
                              }
                            }));
    DT_TRY(kernel_.erase_all(table.fd, table.spec, numbers));
    erased_[memory_.aggs.size() + i] += numbers.size() / 8;
  }
  return {};
}

// Elements are copied before they are deleted, and deleted in batches by key; the walk does not
// delete while it goes. Only what was read whole is taken; after an error the elements stay in the
// map for the flip after the next.
Status Aggregations::drain(std::uint32_t aggregation, std::uint32_t generation) {
  const Maps::Table& table = maps_.aggregations()[memory_.agg_map(aggregation)];
  const record::AggLayout& layout = schema_.aggregations[aggregation];
  std::vector<std::uint8_t> stored_keys, keys;
  std::vector<std::uint16_t> cpus;
  std::vector<std::uint64_t> all_words;
  DT_TRY(each_element(aggregation, [&](const std::uint8_t* stored, Prefix prefix, const auto& key,
                                       const auto& words) {
    if (prefix.generation != generation) {
      return;
    }
    stored_keys.insert(stored_keys.end(), stored, stored + table.spec.key_bytes);
    cpus.push_back(prefix.cpu);
    keys.insert(keys.end(), key.begin(), key.end());
    all_words.insert(all_words.end(), words.begin(), words.end());
  }));
  for (std::size_t i = 0; i < cpus.size(); ++i) {
    taken_[aggregation].add(
        std::span(keys).subspan(i * layout.key_bytes, layout.key_bytes), cpus[i],
        std::span(all_words).subspan(i * layout.value_words, layout.value_words));
  }
  DT_TRY(kernel_.erase_all(table.fd, table.spec, stored_keys));
  erased_[aggregation] += cpus.size();
  return {};
}

}  // namespace dt::runtime

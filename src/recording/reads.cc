// See reads.h.

#include "recording/reads.h"

#include <fmt/core.h>

#include <algorithm>

#include "support/clock.h"
#include "support/tagged.h"

namespace dt::recording {
namespace {

using support::Tagged;
using support::TaggedReader;
using support::TaggedWriter;

enum Tag : std::uint32_t { kIndex = 1, kTime = 2, kAgain = 3, kKey = 4, kGroups = 5 };

// Keys of a drained aggregation that are remembered. Those of others stay in the kernel, and
// are as many as that has room for.
constexpr std::size_t kMaxDrainedKeys = 1U << 16;
constexpr std::uint32_t kMaxCpus = 1U << 16;

std::uint64_t slot_of(std::uint32_t key, std::uint32_t cpu) {
  return std::uint64_t{key} << 32 | cpu;
}

bool is_empty(std::span<const std::uint64_t> words) {
  return std::all_of(words.begin(), words.end(), [](std::uint64_t word) { return word == 0; });
}

// Appends the differences, and makes `old` the new words. False when there are none.
bool append_changes(std::string& out, SparseWords& old, std::span<const std::uint64_t> words) {
  SparseWords now;
  std::string changes;
  std::uint64_t count = 0;
  std::size_t at = 0;
  std::uint32_t next = 0;
  for (std::uint32_t i = 0; i < words.size(); ++i) {
    const bool was_there = at < old.size() && old[at].first == i;
    const std::uint64_t before = was_there ? old[at++].second : 0;
    if (words[i] != 0) now.emplace_back(i, words[i]);
    if (words[i] == before) continue;
    support::append_varint(changes, i - next);
    support::append_varint(changes,
                           support::folded_sign(static_cast<std::int64_t>(words[i] - before)));
    next = i + 1;
    ++count;
  }
  support::append_varint(out, count);
  out += changes;
  old = std::move(now);
  return count != 0;
}

}  // namespace

TapingSource::TapingSource(record::AggregationSource& inner, const record::Schema& schema, Put put,
                           NewKey is_new)
    : inner_(inner),
      schema_(schema),
      put_(std::move(put)),
      is_new_(std::move(is_new)),
      tapes_(schema.aggregations.size()) {}

void TapingSource::note(Tape& tape, const record::AggLayout& layout,
                        std::span<const std::uint8_t> key, std::uint32_t cpu,
                        std::span<const std::uint64_t> words) {
  std::string bytes(reinterpret_cast<const char*>(key.data()), key.size());
  const auto [at, is_new] =
      tape.numbers.try_emplace(std::move(bytes), static_cast<std::uint32_t>(tape.numbers.size()));
  if (is_new) tape.new_keys.push_back(at->first);
  const std::uint32_t number = at->second;
  std::string group;
  support::append_varint(group, number);
  support::append_varint(group, cpu);
  if (layout.drained) {
    SparseWords none;
    append_changes(group, none, words);
    tape.groups += group;
    return;
  }
  const auto [known, is_first] = tape.words.try_emplace(slot_of(number, cpu));
  if (append_changes(group, known->second, words) || is_first) tape.groups += group;
}

// Numbers of keys stay, so that the reader who has them all goes on with them.
void TapingSource::say_again() {
  for (std::size_t i = 0; i < tapes_.size(); ++i) {
    Tape& tape = tapes_[i];
    tape.begins_again = true;
    tape.words.clear();
    tape.new_keys.clear();
    if (schema_.aggregations[i].drained) {
      tape.numbers.clear();
      continue;
    }
    tape.new_keys.resize(tape.numbers.size());
    for (const auto& [key, number] : tape.numbers) tape.new_keys[number] = key;
  }
}

Status TapingSource::read(std::uint32_t aggregation, const Visit& visit) {
  const record::AggLayout& layout = schema_.aggregations[aggregation];
  Tape& tape = tapes_[aggregation];
  if (layout.drained && tape.numbers.size() > kMaxDrainedKeys) {
    tape.numbers.clear();
    tape.begins_again = true;
  }
  const std::uint32_t width = std::max(1U, layout.value_words);
  Status status = inner_.read(aggregation, [&](std::span<const std::uint8_t> key, std::uint32_t cpu,
                                               std::span<const std::uint64_t> words) {
    bool is_noted = false;
    for (std::uint32_t i = 0; i < words.size() / width; ++i) {
      const auto part = words.subspan(std::size_t{i} * width, width);
      const bool is_last = (i + 1) * std::size_t{width} == words.size();
      // A CPU that has added nothing is passed over; a key that was seen is there all the same.
      if (is_empty(part) && (is_noted || !is_last)) continue;
      note(tape, layout, key, cpu + i, part);
      is_noted = true;
    }
    visit(key, cpu, words);
  });
  if (!status.ok()) return status;
  for (const std::string& key : tape.new_keys) {
    is_new_(aggregation, {reinterpret_cast<const std::uint8_t*>(key.data()), key.size()});
  }
  const std::int64_t now_ns = support::now_ns(CLOCK_REALTIME);
  std::string payload;
  TaggedWriter writer(payload);
  writer.number(kIndex, aggregation);
  writer.number(kTime, static_cast<std::uint64_t>(now_ns));
  writer.number_unless_0(kAgain, std::exchange(tape.begins_again, false) ? 1 : 0);
  for (const std::string& key : tape.new_keys) writer.text(kKey, key);
  writer.text(kGroups, tape.groups);
  put_(Entry::kRead, payload);
  tape.new_keys.clear();
  tape.groups.clear();
  return {};
}

// False where the bytes are none.
bool KnownReads::take_group(const record::AggLayout& layout, Known& known,
                            std::string_view& bytes) const {
  std::uint64_t number = 0;
  std::uint64_t cpu = 0;
  std::uint64_t count = 0;
  if (!support::take_varint(bytes, number) || !support::take_varint(bytes, cpu) ||
      !support::take_varint(bytes, count) || number >= known.keys.size() || cpu >= kMaxCpus ||
      count > layout.value_words) {
    return false;
  }
  SparseWords changes;
  std::uint64_t word = 0;
  for (std::uint64_t i = 0; i < count; ++i, ++word) {
    std::uint64_t distance = 0;
    std::uint64_t difference = 0;
    if (!support::take_varint(bytes, distance) || !support::take_varint(bytes, difference) ||
        distance >= layout.value_words - word) {
      return false;
    }
    word += distance;
    changes.emplace_back(static_cast<std::uint32_t>(word),
                         static_cast<std::uint64_t>(support::unfolded_sign(difference)));
  }
  std::size_t at = known.groups.size();
  if (!layout.drained) {
    const std::uint64_t slot =
        slot_of(static_cast<std::uint32_t>(number), static_cast<std::uint32_t>(cpu));
    at = known.by_number.try_emplace(slot, at).first->second;
  }
  if (at == known.groups.size()) {
    known.groups.push_back({known.keys[number], static_cast<std::uint32_t>(cpu), {}, {}, false});
  }
  SparseWords& words = known.groups[at].words;
  if (words.empty()) {
    words = std::move(changes);
    return true;
  }
  SparseWords merged;
  std::size_t old = 0;
  for (const auto& [index, difference] : changes) {
    while (old < words.size() && words[old].first < index) merged.push_back(words[old++]);
    const bool was_there = old < words.size() && words[old].first == index;
    merged.emplace_back(index, difference + (was_there ? words[old++].second : 0));
  }
  merged.insert(merged.end(), words.begin() + static_cast<std::ptrdiff_t>(old), words.end());
  words = std::move(merged);
  return true;
}

Status KnownReads::take(std::string_view payload) {
  known_.resize(schema_.aggregations.size());
  std::uint64_t aggregation = known_.size();
  TaggedReader reader(payload);
  Tagged field;
  bool is_sound = true;
  while (is_sound && reader.next(field)) {
    if (field.tag == kIndex) aggregation = field.number;
    if (field.tag == kTime) time_ns_ = static_cast<std::int64_t>(field.number);
    if (field.tag != kAgain && field.tag != kKey && field.tag != kGroups) continue;
    if (aggregation >= known_.size()) break;
    Known& known = known_[aggregation];
    const record::AggLayout& layout = schema_.aggregations[aggregation];
    if (field.tag == kAgain) known.keys.clear();
    if (field.tag == kKey) {
      is_sound = field.text.size() == layout.key_bytes;
      known.keys.emplace_back(field.text);
    }
    std::string_view groups = field.tag == kGroups ? field.text : std::string_view();
    while (is_sound && !groups.empty()) is_sound = take_group(layout, known, groups);
  }
  if (!is_sound || reader.is_damaged() || aggregation >= known_.size()) {
    return Error::of("what was read of an aggregation is damaged");
  }
  return {};
}

std::int64_t KnownReads::time_of(std::string_view payload) {
  TaggedReader reader(payload);
  Tagged field;
  while (reader.next(field)) {
    if (field.tag == kTime) return static_cast<std::int64_t>(field.number);
  }
  return 0;
}

void KnownReads::begin_segment() {
  for (std::size_t i = 0; i < known_.size(); ++i) {
    if (schema_.aggregations[i].drained) continue;
    for (Group& group : known_[i].groups) group.words.clear();
  }
}

void KnownReads::begin_again() {
  for (std::size_t i = 0; i < known_.size(); ++i) {
    if (schema_.aggregations[i].drained) known_[i].groups.clear();
    for (Group& group : known_[i].groups) {
      group.base = group.words;
      group.has_base = true;
    }
  }
}

namespace {

// Numbers of two words, as avg() and stddev() have them, are taken away with their borrow.
void subtract(record::AggFunc func, std::vector<std::uint64_t>& words, const SparseWords& base) {
  if (func == record::AggFunc::kMin || func == record::AggFunc::kMax) return;
  std::vector<std::uint64_t> less(words.size());
  for (const auto& [index, word] : base) less[index] = word;
  const bool has_pairs = func == record::AggFunc::kAvg || func == record::AggFunc::kStddev;
  for (std::size_t i = 0; i < words.size(); ++i) {
    const bool is_high = has_pairs && i > 0 && i % 2 == 0;
    const bool borrows = is_high && words[i - 1] > UINT64_MAX - less[i - 1];
    words[i] -= less[i] + (borrows ? 1 : 0);
  }
}

}  // namespace

Status KnownReads::read(std::uint32_t aggregation, const Visit& visit) {
  if (aggregation >= known_.size()) return {};
  const record::AggLayout& layout = schema_.aggregations[aggregation];
  Known& known = known_[aggregation];
  std::vector<std::uint64_t> words(layout.value_words);
  for (const Group& group : known.groups) {
    std::fill(words.begin(), words.end(), 0);
    if (group.has_base && group.words == group.base) continue;
    for (const auto& [index, word] : group.words) words[index] = word;
    if (group.has_base) subtract(layout.func, words, group.base);
    visit({reinterpret_cast<const std::uint8_t*>(group.key.data()), group.key.size()}, group.cpu,
          words);
  }
  if (layout.drained) known.groups.clear();
  return {};
}

}  // namespace dt::recording

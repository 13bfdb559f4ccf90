#pragma once
// Reads of aggregations, as entries (Entry::kRead): new keys whole, and of each key and CPU the
// words that have changed.
//
//     1 aggregation   2 time, ns since 1970   3 keys are numbered from 0 again
//     4 a new key     5 groups of varints: key number, CPU, count, then count times
//                       (distance from the word before, difference with its sign folded)
//
// A read of a drained aggregation has what was added since the last read, so the word is itself the
// difference. A read of any other aggregation has what was added since the start.

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "record/aggregation_source.h"
#include "record/schema.h"
#include "recording/program.h"
#include "support/result.h"

namespace dt::recording {

// Words that are not 0, by their index. An element of quantize() has 127, and uses a few.
using SparseWords = std::vector<std::pair<std::uint32_t, std::uint64_t>>;

// Reads another source, and puts what it gives.
class TapingSource final : public record::AggregationSource {
 public:
  using NewKey = std::function<void(std::uint32_t aggregation, std::span<const std::uint8_t> key)>;

  // All references must outlive this. `is_new` is called with each key before the entry that has
  // it.
  TapingSource(record::AggregationSource& inner, const record::Schema& schema, Put put,
               NewKey is_new);
  Status read(std::uint32_t aggregation, const Visit& visit) override;
  // The next reads are whole, with all keys.
  void say_again();

 private:
  struct Tape {
    std::unordered_map<std::string, std::uint32_t> numbers;  // of keys
    std::unordered_map<std::uint64_t, SparseWords> words;    // by key number and CPU
    std::vector<std::string> new_keys;
    std::string groups;
    bool begins_again = false;
  };
  void note(Tape& tape, const record::AggLayout& layout, std::span<const std::uint8_t> key,
            std::uint32_t cpu, std::span<const std::uint64_t> words);

  record::AggregationSource& inner_;
  const record::Schema& schema_;
  Put put_;
  NewKey is_new_;
  std::vector<Tape> tapes_;
};

// A source of aggregations with the reads that a recording has had so far.
class KnownReads final : public record::AggregationSource {
 public:
  // The schema must outlive this.
  explicit KnownReads(const record::Schema& schema) : schema_(schema) {}

  Status take(std::string_view payload);
  Status read(std::uint32_t aggregation, const Visit& visit) override;
  // What there is now counts no more: from here on, reads give what was added since. Of min() and
  // max() that is not known, and the whole is given.
  void begin_again();
  // The reads that come next are whole.
  void begin_segment();
  // When what an entry says was read: ns since 1970.
  static std::int64_t time_of(std::string_view payload);
  // When the last one was read: ns since 1970.
  std::int64_t time_ns() const { return time_ns_; }

 private:
  struct Group {
    std::string key;
    std::uint32_t cpu = 0;
    SparseWords words;
    SparseWords base;  // the part of `words` that was counted before begin_again()
    bool has_base = false;
  };
  struct Known {
    std::vector<std::string> keys;
    std::vector<Group> groups;                                 // in the order of the recording
    std::unordered_map<std::uint64_t, std::size_t> by_number;  // unless it is drained
  };
  bool take_group(const record::AggLayout& layout, Known& known, std::string_view& bytes) const;

  const record::Schema& schema_;
  std::vector<Known> known_;
  std::int64_t time_ns_ = 0;
};

}  // namespace dt::recording

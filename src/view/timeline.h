#pragma once
// What happened when, for tools that draw time: slices, moments, samples and counters, each on a
// lane.
//
//     lane of a thread   |  read      |      | openat |        slices are nested,
//                        |    fault |                          or else on a sibling of the lane
//
// Times are ns since 1970, exact.

#include <cstdint>
#include <string>
#include <string_view>
#include <tuple>
#include <unordered_map>
#include <utility>
#include <vector>

namespace dt::view {

// A value that a record has beside its event.
struct Detail {
  std::uint32_t name = 0;  // a text of the timeline
  enum class Kind : std::uint8_t { kSigned, kUnsigned, kText } kind = Kind::kSigned;
  std::uint64_t number = 0;  // or of a text, its number
  bool operator==(const Detail&) const = default;
};

struct LaneId {
  enum class Kind : std::uint8_t { kThread, kCpu } kind = Kind::kThread;
  std::int32_t process = 0;
  std::int32_t thread = 0;  // or the CPU
  bool operator<(const LaneId& other) const {
    return std::tuple(kind, process, thread) < std::tuple(other.kind, other.process, other.thread);
  }
  bool operator==(const LaneId&) const = default;
};

struct Slice {
  LaneId lane;
  std::uint32_t name = 0;
  std::int64_t begin_ns = 0, end_ns = 0;
  // What is not known of it: it began before tracing, or had not ended.
  enum class Open : std::uint8_t { kNo, kAtStart, kAtEnd } open = Open::kNo;
  std::uint32_t first_detail = 0, details = 0;
  std::uint32_t sibling = 0;  // by place_slices()
};

// Something without length; a stack makes it a sample.
struct Moment {
  LaneId lane;
  std::uint32_t name = 0;
  std::int64_t time_ns = 0;
  std::uint32_t cpu = 0;
  std::uint32_t stack = 0;  // a number of stacks() + 1, or 0
  std::uint32_t first_detail = 0, details = 0;
};

struct Count {
  std::uint32_t counter = 0;
  std::int64_t time_ns = 0;
  std::int64_t value = 0;
};

struct Counter {
  std::string name;  // "@reads bash"
  std::string unit;  // "ns"; "" where it is not known
};

// How the records of pairs came out: each is in one of the four.
struct Matched {
  std::uint64_t slices = 0;  // of two records each
  std::uint64_t open_at_start = 0, open_at_end = 0, unmatched = 0;
  std::uint64_t records() const { return 2 * slices + open_at_start + open_at_end + unmatched; }
};

class Timeline {
 public:
  static constexpr std::size_t kMost = 4'000'000;  // slices and moments; others are counted

  std::uint32_t text(std::string_view text);
  const std::string& text(std::uint32_t number) const { return *texts_[number]; }
  // Frames from the outermost, as numbers of texts.
  std::uint32_t stack(std::vector<std::uint32_t> frames);
  std::uint32_t counter(const std::string& name, const std::string& unit);

  void add(Slice slice, const std::vector<Detail>& details);
  void add(Moment moment, const std::vector<Detail>& details);
  void add(const Count& count);
  // How a thread or the process is called; the last name holds.
  void call(std::int32_t process, std::int32_t thread, std::string_view name);
  void met(std::int64_t time_ns);

  // Gives each slice a sibling of its lane, so that two slices of one sibling are either nested or
  // apart, and puts them in order: by lane and sibling, then time, an outer one before its inner
  // ones. Moments and counts are put in the order of their times.
  void place();

  const std::vector<Slice>& slices() const { return slices_; }
  const std::vector<Moment>& moments() const { return moments_; }
  const std::vector<Count>& counts() const { return counts_; }
  const std::vector<Counter>& counters() const { return counters_; }
  const std::vector<std::vector<std::uint32_t>>& stacks() const { return stacks_; }
  const Detail& detail(std::uint32_t number) const { return details_[number]; }
  std::size_t texts() const { return texts_.size(); }
  // "" where it is not known.
  const std::string& name_of(std::int32_t process, std::int32_t thread) const;
  std::int64_t begin_ns() const { return begin_ns_; }
  std::int64_t end_ns() const { return end_ns_; }

  Matched matched;
  std::uint64_t left_out = 0;  // beyond kMost
  std::uint64_t dropped = 0;
  std::string title;

 private:
  bool has_room();
  std::uint32_t keep(const std::vector<Detail>& details);

  std::unordered_map<std::string, std::uint32_t> numbers_;
  std::vector<const std::string*> texts_;  // in numbers_
  std::vector<Detail> details_;
  std::vector<Slice> slices_;
  std::vector<Moment> moments_;
  std::vector<Count> counts_;
  std::vector<Counter> counters_;
  std::unordered_map<std::string, std::uint32_t> counter_numbers_;
  std::vector<std::vector<std::uint32_t>> stacks_;
  std::unordered_map<std::string, std::uint32_t> stack_numbers_;  // by the frames' bytes
  std::unordered_map<std::uint64_t, std::string> names_;          // by process and thread
  std::int64_t begin_ns_ = 0, end_ns_ = 0;
};

// Calls begin(slice), then what is within, then end(slice), for the slices of one lane and sibling
// after another; place() was called.
template <typename Begin, typename End>
void walk_slices(const Timeline& timeline, const Begin& begin, const End& end) {
  std::vector<const Slice*> open;
  const Slice* last = nullptr;
  const auto close = [&](const Slice* next) {
    while (!open.empty() && (next == nullptr || open.back()->end_ns <= next->begin_ns)) {
      end(*open.back());
      open.pop_back();
    }
  };
  for (const Slice& slice : timeline.slices()) {
    const bool is_other =
        last != nullptr && (!(last->lane == slice.lane) || last->sibling != slice.sibling);
    close(is_other ? nullptr : &slice);
    begin(slice);
    open.push_back(&slice);
    last = &slice;
  }
  close(nullptr);
}

}  // namespace dt::view

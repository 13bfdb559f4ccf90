#pragma once
// The view lines (view/lines.h) of a run so far, as one who comes later needs them: bounded, with
// all sums.
//
//     names, plan, rows, end            all, or the last of each
//     drops                             where they have changed, 7,200 at most
//     columns                           3,600 of an aggregation at most: then two and two are one
//     records, spans                    the latest, in blocks that nothing changes any more
//
// Those are most of it: a hundred megabytes. A client that is sent the state reads them in place,
// and keeps the blocks that are dropped meanwhile.

#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace dt::page {

class KeptLines {
 public:
  static constexpr std::size_t kMostColumns = 3600;
  static constexpr std::size_t kMostEvents = 1'000'000;
  static constexpr std::size_t kMostEventBytes = 128 << 20;

  // Lines, each with its newline.
  using Block = std::shared_ptr<const std::string>;
  static constexpr std::size_t kBlockBytes = 256 << 10;

  // A line, without its newline.
  void add(std::string_view line);
  // All that there are, such that what a line needs comes before it; as of now, whatever is added.
  std::vector<Block> state() const;
  void each(const std::function<void(std::string_view line)>& visit) const;

  // The bytes of blocks that are no longer among the latest, but that a client still reads.
  std::size_t held_bytes();

 private:
  struct Events {
    Block block;
    std::size_t lines = 0;
  };
  void add_event(std::string_view line);
  void add_column(std::string_view line);
  void add_drops(std::string_view line);

  std::vector<std::string> names_;                             // the plan first
  std::vector<bool> adds_up_;                                  // by aggregation
  std::map<std::uint64_t, std::vector<std::string>> columns_;  // by aggregation
  std::deque<Events> events_;
  std::string latest_events_;  // not a block yet
  std::size_t latest_count_ = 0;
  std::size_t event_count_ = 0, event_bytes_ = 0;  // of all
  std::vector<std::weak_ptr<const std::string>> gone_;
  std::map<std::string, std::string> last_;  // rows, spans: by type and what they are of
  std::vector<std::string> drops_;
  std::string end_;
};

// The column that has what both have: sums of what adds up, otherwise what the later has.
std::string merged_columns(std::string_view earlier, std::string_view later, bool adds_up);

}  // namespace dt::page

#pragma once
// The view lines (view/lines.h) of a run so far, as one who comes later needs them: bounded, with
// all sums.
//
//     names, plan, rows, end            all, or the last of each
//     drops                             where they have changed, 7,200 at most
//     columns                           3,600 of an aggregation at most: then two and two are one
//     records, spans                    the latest

#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace dt::page {

class KeptLines {
 public:
  static constexpr std::size_t kMostColumns = 3600;
  static constexpr std::size_t kMostEvents = 1'000'000;
  static constexpr std::size_t kMostEventBytes = 128 << 20;

  // A line, without its newline.
  void add(std::string_view line);
  // All that there are, such that what a line needs comes before it.
  void each(const std::function<void(std::string_view line)>& visit) const;

 private:
  void add_column(std::string_view line);
  void add_drops(std::string_view line);

  std::vector<std::string> names_;                             // the plan first
  std::vector<bool> adds_up_;                                  // by aggregation
  std::map<std::uint64_t, std::vector<std::string>> columns_;  // by aggregation
  std::deque<std::string> events_;
  std::size_t event_bytes_ = 0;
  std::map<std::string, std::string> last_;  // rows, spans: by type and what they are of
  std::vector<std::string> drops_;
  std::string end_;
};

// The column that has what both have: sums of what adds up, otherwise what the later has.
std::string merged_columns(std::string_view earlier, std::string_view later, bool adds_up);

}  // namespace dt::page

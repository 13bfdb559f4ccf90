#pragma once
// -x oformat=term: pictures of lines for a terminal, a pager or a log. Nothing moves a cursor; on a
// terminal cells have colours besides.

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "consumer/aggregation/histogram.h"
#include "record/aggregation.h"
#include "view/frame_tree.h"

namespace dt::view {
struct Grid;
struct Lanes;
}  // namespace dt::view

namespace dt::exports {

struct TermStyle {
  std::size_t columns = 80;
  bool has_colours = false;
  std::size_t time_columns = 9;  // of the time that begins a line
};

// A heat map that grows downwards: a line for each column of the map, a cell for each bucket, or
// for several neighbours.
//
//     @sizes = quantize() by execname
//                  1    2    4    8   16
//     17:02:03  .    :    @    =          1234
//
// A cell's character says how its count compares with the largest that was seen so far; the line
// ends with the exact sum. Buckets are named again when there are others.
class TermHeat {
 public:
  // `layout` must outlive this.
  TermHeat(const record::AggLayout& layout, std::string title, TermStyle style)
      : layout_(layout), title_(std::move(title)), style_(style) {}

  std::string line(std::string_view time, std::span<const std::uint64_t> words);

 private:
  void append_header(std::string& out);
  void append_cell(std::string& out, std::uint64_t count) const;

  const record::AggLayout& layout_;
  std::string title_;
  TermStyle style_;
  consumer::BucketRange range_;
  std::size_t first_ = 0;    // bucket of the first cell
  std::size_t in_cell_ = 1;  // buckets: several, where the terminal is too narrow for all
  std::size_t cells_ = 0;
  std::size_t width_ = 0;  // of a cell
  std::uint64_t most_ = 0;
};

// " .:-=+*#%@": 0 for a count of 0, up to 9.
std::size_t heat_level(std::uint64_t count, std::uint64_t most);

// A flame graph that hangs from its first line, which is all: each line has the callees of
// the one above it. A frame is as wide as its share; those that fall between two characters are not
// there.
std::string term_flame(const view::FrameTree& tree, TermStyle style);

// Samples by second, and by fiftieth of a second: a line for each second, which ends with the exact
// sum. Seconds without any are lines, too, but where a line would be the same as two before it.
std::string term_samples(const view::Grid& grid, TermStyle style);

// Spans, a line for each row of a lane. A span that is wide enough has its name; others
// have a character, from '.' to '@', for the part of the time that they fill.
//
//     sh 4711      |read    |  .:|openat  |
//                    |fault|
//     17:02:03, 1.5 ms a character
std::string term_lanes(const view::Lanes& lanes, std::int64_t begin_ns, std::int64_t end_ns,
                       TermStyle style);

// A bar beside a number, as long as its share of `most`.
std::string term_bar(std::int64_t value, std::int64_t most, std::size_t columns);

}  // namespace dt::exports

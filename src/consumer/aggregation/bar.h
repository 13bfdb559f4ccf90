#pragma once
// Bars of 40 columns, and single blocks: how counts are drawn.
//
// With negative counts only, bars grow leftwards to the '|'; with both signs,
// 20 columns on each side of it.

#include <cstdint>
#include <string>

namespace dt::consumer {

// How histograms are drawn. `zoom`: the longest bar is 95 % of the width,
// instead of bars being parts of the whole. `utf8`: with block characters,
// which show eighths of a column.
struct BarStyle {
  bool zoom = false;
  bool utf8 = false;
};

// What the bars that stand below each other have in common.
struct BarScale {
  explicit BarScale(BarStyle bar_style) : style(bar_style) {}
  void add(std::int64_t count);

  BarStyle style;
  long double total = 0;
  bool positives = false;
  bool negatives = false;
};

// '|' and 40 columns; of block characters where nothing is negative.
void append_bar(std::string& out, std::int64_t count, const BarScale& scale);

// One column: a blank for 0, `_xX` or U+2581 to U+2588 for more and more of the
// total, `vV` for less than nothing.
void append_block(std::string& out, std::int64_t count, const BarScale& scale);

}  // namespace dt::consumer

#pragma once
// The histograms of quantize(), lquantize() and llquantize(), to the blank:
//
//               value  ------------- Distribution ------------- count
//                  -1 |                                         0
//                   0 |@@@@@@@@@@                               1
//
// From one empty bucket before the first with data to one after the last. With
// negative counts only, bars grow leftwards to the '|'; with both signs, 20
// columns on each side of it.

#include <string>

#include "consumer/aggregate.h"

namespace dt::consumer {

// Appends a newline, the header and the rows. `zoom`: the longest bar is 95 %
// of the width, instead of bars being parts of the whole.
void append_histogram(std::string& out, const record::AggLayout& layout, Aggregate::Words words,
                      std::int64_t normal, bool zoom);

}  // namespace dt::consumer

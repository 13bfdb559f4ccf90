#pragma once
// The unit of a value, where the text of its expression says it: a difference of times is in ns,
// and divided by a power of 1000 in us, ms or s.

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "record/aggregation.h"
#include "support/source.h"

namespace dt::view {

struct TimeDifference {
  std::uint64_t unit_ns = 1;
  bool is_wall = true;  // and not time on a CPU (vtimestamp)
};
// "timestamp - self->begin", "(timestamp - start[tid]) / 1000": of other expressions nothing.
std::optional<TimeDifference> time_difference(std::string_view text);

// "ns", "us", "ms", "s"; "" for 0.
const char* unit_text(std::uint64_t unit_ns);

// How many digits behind the point tell the firings of these ticks apart, "tick-250ms" or
// "timer.ms(250)", where their times are shown: 0, 3 or 6.
int second_digits(const std::vector<std::string>& ticks);

// The text of what is aggregated, in one line; "" for count().
std::string argument_text(const record::AggLayout& layout, const Sources& sources);
// The unit of the values of an aggregation; 0: unknown. count() has none.
std::uint64_t unit_of(const record::AggLayout& layout, const Sources& sources);

}  // namespace dt::view

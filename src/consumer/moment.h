#pragma once
// When aggregations are acted on: printed, cleared, truncated, normalised.

#include <cstdint>
#include <functional>

#include "record/layout.h"

namespace dt::consumer {

// A firing whose records act on aggregations.
struct Moment {
  // From 1, in the order in which such firings are consumed; all records of one have the same.
  std::uint64_t firing = 0;
  std::int64_t time_ns = 0;  // since 1970; 0 where records have no time
};

// On which side of a record's actions a function is called.
enum class Side : std::uint8_t { kBefore, kAfter };

// Called for a record before its actions act, and after them.
using Acting = std::function<void(const record::Layout& layout, const Moment& moment, Side side)>;

}  // namespace dt::consumer

#pragma once
// One who is told of all that a consumer is given, in the order in which it is consumed: another
// consumer that is given the same prints the same.

#include <cstdint>
#include <span>

#include "consumer/firings.h"
#include "consumer/value.h"

namespace dt::consumer {

class Tap {
 public:
  virtual ~Tap() = default;
  // Behind what was read and looked up for the record.
  virtual void record(FiringId firing, Bytes bytes) = 0;
  // As report_drops() was given them.
  virtual void drops(std::span<const std::uint64_t> counters) = 0;
};

}  // namespace dt::consumer

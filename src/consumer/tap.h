#pragma once
// A tap receives all records and drops of a consumer, in the order in which they are consumed. A
// second consumer that receives the same prints the same.

#include <cstdint>
#include <span>

#include "consumer/firings.h"
#include "consumer/value/value.h"

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

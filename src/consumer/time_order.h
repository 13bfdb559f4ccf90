#pragma once
// Records in the order of their times (-x temporal).
//
// The ring has them in the order in which CPUs took their places in it. A firing reads the
// clock before that: between the two, another CPU may read it and take its place, or an
// interrupt lets a firing of its own go first. So a record may stand up to some milliseconds
// behind later ones:
//
//     clock:  A  B          ring:  B A
//
// The records are kept until no earlier one can come: when all firings have ended that had begun
// at a moment, whatever comes later is of a later time. Those of one time and one CPU stay as they
// are, which are the records of one firing; of one time, those of the lower CPU come first. A fault
// has no time; it keeps its place behind the record that its CPU has made before it.

#include <cstdint>
#include <functional>
#include <vector>

#include "consumer/value/value.h"
#include "record/schema.h"

namespace dt::consumer {

class TimeOrder {
 public:
  explicit TimeOrder(const record::Schema& schema) : schema_(schema) {}

  // The next one of the ring.
  void add(Bytes bytes);
  bool is_holding() const { return !held_.empty(); }
  // Hands over, in their order, those that are older than `time`: ns since 1970, as records have
  // it.
  void hand_over(std::int64_t time, const std::function<void(Bytes)>& consume);

 private:
  struct Held {
    std::int64_t time;
    std::uint16_t cpu;
    std::vector<std::uint8_t> bytes;
  };

  std::int64_t time_of(const record::Header& header, Bytes bytes);

  const record::Schema& schema_;
  std::vector<Held> held_;
  std::vector<std::int64_t> latest_;  // by CPU
};

}  // namespace dt::consumer

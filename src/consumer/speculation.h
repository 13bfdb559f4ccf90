#pragma once
// Records that wait for the fate of their speculation.

#include <cstdint>
#include <vector>

#include "consumer/value/value.h"

namespace dt::consumer {

class Speculations {
 public:
  // `slots`: how many there are at a time; `bytes`: what each may hold.
  Speculations(std::uint32_t slots, std::uint64_t bytes) : slots_(slots), bytes_(bytes) {}

  // Keeps a record. A record of a speculation that is over, or of id 0, is
  // nothing; one for which there is no room is a drop.
  void add(std::int32_t id, Bytes record);
  // Ends it; its records, in their order.
  std::vector<std::vector<std::uint8_t>> commit(std::int32_t id);
  void discard(std::int32_t id);
  // Records that were lost: no room, or the end of their speculation was.
  std::uint64_t drops() const { return drops_; }

 private:
  struct Slot {
    std::int32_t id = 0;  // the latest that was seen
    bool is_open = false;
    std::uint64_t size = 0;
    std::vector<std::vector<std::uint8_t>> records;
  };

  // The slot of an id when it is the latest there; nullptr when it is over.
  Slot* enter(std::int32_t id);
  static void clear(Slot& slot);

  std::vector<Slot> slots_;
  std::uint64_t bytes_;
  std::uint64_t drops_ = 0;
};

}  // namespace dt::consumer

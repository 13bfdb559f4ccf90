#pragma once
// What belongs to one firing is consumed together.
//
// A firing whose records act on aggregations sees one moment of them: what printa() in one
// clause shows is what clear() in the next one clears. But its records need not follow
// one another in the ring:
//
//     F printa | G printf | G printa | F clear | G clear        F, G: firings, on two CPUs
//
// So the first of F that acts on aggregations is held back, and with it all that comes,
// until F is complete; then F's records are consumed, and after them the others in their
// order:
//
//     F printa | F clear | G printf | G printa | G clear
//
// A firing is complete
//   - with the record behind which none of it acts on aggregations (EpidInfo::has_more), or
//   - when it is over, and what it recorded has been taken from the ring: settle(). That record
//     may never come: its clause's predicate is false, the clause faults, or
//     the record is dropped.
//
// No clock is asked, so it does not matter when the consumer runs.

#include <cstdint>
#include <deque>
#include <functional>
#include <unordered_map>
#include <vector>

#include "consumer/value/value.h"
#include "record/schema.h"
#include "record/wire.h"

namespace dt::consumer {

// A firing among all of the run; number 0: it makes one record only.
struct FiringId {
  std::uint16_t cpu = 0;
  std::uint64_t number = 0;
  bool operator==(const FiringId&) const = default;
};

class Firings {
 public:
  explicit Firings(const record::Schema& schema) : schema_(schema) {}

  // Takes the next record of the ring, and hands to `consume` all that is to be consumed
  // now: nothing, this one, or what was held back.
  using Consume = std::function<void(FiringId firing, Bytes bytes)>;
  void add(Bytes bytes, const Consume& consume);

  bool is_holding() const { return !held_.empty(); }
  // How many records were taken. When all firings that had begun by then are over and what
  // they recorded was taken, settle() hands over what was held back.
  std::uint64_t taken() const { return next_; }
  void settle(std::uint64_t taken, const Consume& consume);

 private:
  struct Held {
    FiringId firing;
    std::vector<std::uint8_t> bytes;
    bool begins = false;  // it acts on aggregations, and another one may follow that does
    bool is_consumed = false;
  };
  struct Group {
    std::deque<std::uint64_t> records;  // by their places in the ring
    bool is_complete = false;
  };
  struct Hash {
    std::size_t operator()(const FiringId& id) const {
      return std::hash<std::uint64_t>()(id.number << 16 ^ id.cpu);
    }
  };

  FiringId identify(const record::Header& header);
  bool has_more(const record::Header& header) const;
  bool acts(const record::Header& header) const;
  void release(const Consume& consume);
  Held& held(std::uint64_t place) { return held_[place - first_]; }
  void consume_group(const FiringId& firing, const Consume& consume);
  void forget(const FiringId& firing);

  const record::Schema& schema_;
  std::vector<std::uint64_t> latest_;  // number of a firing, by CPU
  std::deque<Held> held_;
  std::unordered_map<FiringId, Group, Hash> groups_;  // of those with numbers that are held back
  std::uint64_t first_ = 0, next_ = 0;  // places of the first that is held back and of the next
  std::uint64_t settled_ = 0;           // firings with records before this place are over
};

}  // namespace dt::consumer

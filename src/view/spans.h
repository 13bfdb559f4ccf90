#pragma once
// Records of probes that begin and end something, put together.
//
// A beginning waits for its end: of one thread on a stack, as calls are nested; else
// under what both have, a number or the CPU. The rest is reported: ends whose beginning was before
// tracing, beginnings whose end did not come, and those that a later one has shown to be without
// partner.

#include <cstdint>
#include <functional>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "view/pairs.h"
#include "view/timeline.h"

namespace dt::view {

class Spans {
 public:
  struct Side {
    std::uint32_t pair = 0;
    std::uint64_t key = 0;  // the thread, the CPU, or the number that both sides have
    LaneId lane;
    std::uint32_t name = 0;
    std::int64_t time_ns = 0;
    std::vector<Detail> details;
  };

  // `timeline` must outlive this.
  explicit Spans(Timeline& timeline) : timeline_(timeline) {}

  void begin(Matching matching, Side side);
  void end(Matching matching, Side side);
  // What is still open is open at the end.
  void finish();

 private:
  struct Key {
    Matching matching = Matching::kThread;
    std::uint32_t pair = 0;  // but for threads
    std::uint64_t key = 0;
    bool operator==(const Key&) const = default;
  };
  struct Hash {
    std::size_t operator()(const Key& key) const {
      return std::hash<std::uint64_t>()(key.key * 31 + key.pair * 4 +
                                        static_cast<std::uint64_t>(key.matching));
    }
  };
  struct Place {
    std::vector<Side> open;                   // but for threads at most one
    std::unordered_set<std::uint32_t> known;  // pairs of which something was seen
  };
  static Key key_of(Matching matching, const Side& side) {
    return {matching, matching == Matching::kThread ? 0 : side.pair, side.key};
  }
  void match(Side begin, Side end);
  void unmatched(Side side);

  Timeline& timeline_;
  std::unordered_map<Key, Place, Hash> places_;
};

}  // namespace dt::view

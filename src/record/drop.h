#pragma once
// Drop counters: one block of them for each CPU.

#include <cstdint>

namespace dt::record {

enum class Drop : std::uint8_t {
  kPrincipal,    // no room in the ring
  kAggregation,  // an aggregation's table was full, or its update failed
  kDynamic,      // no room for an associative array element, thread-local storage, or what
                 // a provider keeps between firings
  kSpeculative,
  kSpecBusy,
  kSpecUnavailable,
  kStackStrings,
  kDoubleError,  // a fault in an ERROR clause
  kNesting,      // no free scratch level: the firing was not run
};
constexpr std::uint32_t kDropCounters = 9;

}  // namespace dt::record

#pragma once
// How large the buffers and tables of a run are, and what becomes of records.

#include <cstdint>
#include <limits>

namespace dt::runtime {

// What becomes of records until the end.
enum class BufferPolicy : std::uint8_t {
  kSwitch,  // they are handed over as they come
  kFill,    // tracing ends when there is no room for one
  kRing,    // the last buffer_bytes of each CPU are kept
};

struct Sizes {
  std::uint64_t buffer_bytes = 4 << 20;  // bufsize, for each CPU
  std::uint64_t least_bytes = 0;         // what the ring has to hold at least, of all CPUs
  // aggsize, for each CPU and aggregation; and as much for its stacks
  std::uint64_t aggregation_bytes = 4 << 20;
  std::uint64_t dynamic_bytes = 1 << 20;  // dynvarsize, for each array
  BufferPolicy policy = BufferPolicy::kSwitch;
  // How long the consumer may be away while records find no room: then tracing ends.
  std::uint64_t patience_ns = 30'000'000'000;
  // Not smaller where every record is read at once: they may come in bursts.
  bool is_as_asked = false;
  // bufresize: what the kernel has no memory for is made smaller.
  bool may_shrink = true;
  // What the system can give. No map takes more than a part of it.
  std::uint64_t memory_bytes = std::numeric_limits<std::uint64_t>::max();
};

}  // namespace dt::runtime

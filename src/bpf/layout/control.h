#pragma once
// Control: the block at the start of the globals by which the runtime and the programs
// know what state tracing is in.

#include <cstdint>

namespace dt::bpf {

// What the tracing state is; written by the runtime and by exit().
enum class State : std::uint32_t {
  kInactive = 0,  // attached, not yet tracing: probes leave at once
  kActive = 1,
  kDraining = 2,  // exit() was called or tracing is being stopped; only END runs
};

// At offset 0 of the globals value.
struct Control {
  std::uint32_t state;
  std::int32_t exit_status;  // of the exit() that won
  // The lowest bit is part of every key of an aggregation: [1] where the script clears or truncates
  // it, [0] elsewhere. The runtime flips it, waits for a grace period and then drains the old
  // generation.
  std::uint32_t generation[2];
  std::uint64_t wall_offset_ns;  // CLOCK_REALTIME - CLOCK_MONOTONIC at start
  std::uint64_t target_pid;
  // CLOCK_MONOTONIC, ns: when a record finds no room from this time on, the
  // consumer is considered dead, and tracing ends. The runtime moves it on. 0: never.
  std::uint64_t deadline_ns;
  std::uint32_t aborted;    // 1 once that has happened
  std::uint32_t is_ending;  // END runs: what it records and finds no room for is a drop
};
static_assert(sizeof(Control) == 48);

}  // namespace dt::bpf

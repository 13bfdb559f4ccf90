#pragma once
// How deep stacks can be.

#include <cstdint>

namespace dt::record {

// The kernel gives no deeper stacks (PERF_MAX_STACK_DEPTH): what asks for more gets so many.
constexpr std::uint32_t kMostStackFrames = 127;

}  // namespace dt::record

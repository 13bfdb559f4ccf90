#pragma once
// The counter of cycles of x86-64 (TSC), which counts at one rate on all CPUs.

#include <x86intrin.h>

#include <cstdint>

namespace dt::machine {

inline std::uint64_t cycle_counter() { return __rdtsc(); }

}  // namespace dt::machine

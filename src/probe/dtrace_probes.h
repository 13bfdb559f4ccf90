#pragma once
// The probes of the provider dtrace, which every list of probes begins with.

#include <array>
#include <cstdint>

namespace dt::probe {

// In the order of their ids, from 1 on.
inline constexpr std::array<const char*, 3> kDtraceProbes = {"BEGIN", "END", "ERROR"};
inline constexpr std::int64_t kBeginId = 1;
inline constexpr std::int64_t kErrorId = kDtraceProbes.size();

}  // namespace dt::probe

#pragma once
// What the return of a system call knows of the call.

#include <algorithm>
#include <array>
#include <cstdint>
#include <string_view>

namespace dt::probe {

// At syscall:::return, arg0 and arg1 are the result and arg6 the number of the call. These are what
// the call was given, from its first argument on.
inline constexpr std::array<std::uint32_t, 6> kGivenArguments = {2, 3, 4, 5, 7, 8};

// Whether the registers at the return still have it: those of execve() and rt_sigreturn() are then
// of another program or place.
constexpr bool keeps_arguments(std::string_view call) {
  constexpr std::string_view kChanging[] = {"execve", "execveat", "rt_sigreturn"};
  return std::find(std::begin(kChanging), std::end(kChanging), call) == std::end(kChanging);
}

}  // namespace dt::probe

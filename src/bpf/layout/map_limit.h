#pragma once
// The kernel's limit for the maps of one program.

#include <cstddef>

namespace dt::bpf {

// MAX_USED_MAPS of the kernel: the verifier refuses a program that names more.
constexpr std::size_t kMaxUsedMaps = 64;

}  // namespace dt::bpf

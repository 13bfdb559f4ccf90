#pragma once
// Target: what the encoder has to know of the kernel that is to run the code.

#include <cstdint>

namespace dt::bpf {

struct Target {
  bool has_cpu_v4 = false;                // 32-bit jumps (gotol), and signed loads and divisions
  std::uint32_t stack_limit_bytes = 512;  // of a chain of calls
};

}  // namespace dt::bpf

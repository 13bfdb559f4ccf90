#pragma once
// SystemTap's names of the points of system calls, where the kernel's table has others.

#include <string>
#include <string_view>
#include <vector>

namespace dt::stap {

struct CallPoint {
  std::string_view point, call;
};

// What syscall.PATTERN means beside the calls of these names: pread64 by "pread", and by "pipe"
// also pipe2, which is what programs call today.
std::vector<CallPoint> calls_beside(const std::string& pattern);

}  // namespace dt::stap

#pragma once
// SystemTap's names of the points of system calls, where the kernel's table has others.

#include <functional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace dt::stap {

struct CallPoint {
  std::string_view point, call;
  bool is_newer = false;  // the point has a call of its own name, too
};

// What syscall.PATTERN means beside the calls of these names: pread64 by "pread", and by "pipe"
// also pipe2, which is what programs call today, unless the script names it itself: `named`.
std::vector<CallPoint> calls_beside(const std::string& pattern,
                                    const std::set<std::string, std::less<>>& named);

}  // namespace dt::stap

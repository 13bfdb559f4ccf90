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

// "syscall.pipe2.return"
std::string call_point(std::string_view family, std::string_view call, bool is_return);

// What FAMILY.PATTERN means beside the calls of these names: pread64 by "pread", and by "pipe" also
// pipe2, which is what programs call today, unless the script has that point itself: `named`.
std::vector<CallPoint> calls_beside(std::string_view family, const std::string& pattern,
                                    bool is_return,
                                    const std::set<std::string, std::less<>>& named);

}  // namespace dt::stap

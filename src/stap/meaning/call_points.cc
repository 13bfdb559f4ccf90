// See call_points.h.

#include "stap/meaning/call_points.h"

#include <fmt/core.h>

#include "probe/pattern.h"

namespace dt::stap {
namespace {

constexpr CallPoint kCallPoints[] = {
    {"pread", "pread64"},
    {"pwrite", "pwrite64"},
    {"fstatat", "newfstatat"},
    {"umount", "umount2"},
    {"llseek", "_llseek"},
    {"sysctl", "_sysctl"},
    // A call that has been given flags since, by a number of its own; the C library makes that one.
    {"getdents", "getdents64", true},
    {"pipe", "pipe2", true},
    {"eventfd", "eventfd2", true},
    {"signalfd", "signalfd4", true},
    {"epoll_create", "epoll_create1", true},
    {"inotify_init", "inotify_init1", true},
};

}  // namespace

std::string call_point(std::string_view family, std::string_view call, bool is_return) {
  return fmt::format("{}.{}{}", family, call, is_return ? ".return" : "");
}

std::vector<CallPoint> calls_beside(std::string_view family, const std::string& pattern,
                                    bool is_return,
                                    const std::set<std::string, std::less<>>& named) {
  std::vector<CallPoint> out;
  for (const CallPoint& one : kCallPoints) {
    if (one.is_newer && named.contains(call_point(family, one.call, is_return))) continue;
    if (probe::glob_match(pattern, one.point) && !probe::glob_match(pattern, one.call)) {
      out.push_back(one);
    }
  }
  return out;
}

}  // namespace dt::stap

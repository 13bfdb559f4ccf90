// See call_points.h.

#include "stap/meaning/call_points.h"

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

std::vector<CallPoint> calls_beside(const std::string& pattern,
                                    const std::set<std::string, std::less<>>& named) {
  std::vector<CallPoint> out;
  for (const CallPoint& one : kCallPoints) {
    if (one.is_newer && named.contains(one.call)) continue;
    if (probe::glob_match(pattern, one.point) && !probe::glob_match(pattern, one.call)) {
      out.push_back(one);
    }
  }
  return out;
}

}  // namespace dt::stap

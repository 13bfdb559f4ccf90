#pragma once
// System calls of which a newer one does the work: a C library's function has the name of the old
// call, and makes the new one. So a probe of the old call fires for few programs.

#include <algorithm>
#include <iterator>
#include <string_view>

namespace dt::front {

struct NewerCall {
  std::string_view call, newer;
  bool has_directory = false;  // the newer call's first argument is a directory, and the path arg1
};

// What the functions of glibc 2.36 on x86-64 call, as a program that calls each of them shows.
constexpr NewerCall kNewerCalls[] = {
    {"eventfd", "eventfd2"},
    {"fork", "clone"},
    {"getdents", "getdents64"},
    {"getrlimit", "prlimit64"},
    {"lstat", "newfstatat", true},
    {"mknod", "mknodat", true},
    {"nanosleep", "clock_nanosleep"},
    {"open", "openat", true},
    {"pipe", "pipe2"},
    {"select", "pselect6"},
    {"setrlimit", "prlimit64"},
    {"signalfd", "signalfd4"},
    {"stat", "newfstatat", true},
    {"utime", "utimensat", true},
    {"utimes", "utimensat", true},
};

// The newer call; nullptr: there is none.
inline const NewerCall* newer_call(std::string_view call) {
  const NewerCall* const found =
      std::find_if(std::begin(kNewerCalls), std::end(kNewerCalls),
                   [&](const NewerCall& one) { return one.call == call; });
  return found == std::end(kNewerCalls) ? nullptr : found;
}

}  // namespace dt::front

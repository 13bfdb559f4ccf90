#pragma once
// Many trials, by several processes: a script that crashes the compiler, or
// never ends, is a failure like the others.

#include <cstdint>
#include <string>

namespace dt::differential {

struct Options {
  std::uint64_t seed = 0;  // 0 = not given
  std::uint64_t count = 0;
  std::uint64_t seconds = 0;
  std::uint64_t jobs = 1;
  std::uint64_t progress = 0;  // seconds between lines about it; 0 = none
  bool two_way = false;
  bool print = false;  // every script
  bool code = false;   // of a script that fails
  bool all = false;    // go on after a failure, and only name it
};

// The exit status: 1 when a script failed.
int run_campaign(const Options& options);

}  // namespace dt::differential

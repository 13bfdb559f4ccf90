#pragma once
// Many damaged files, read by several processes with limits of memory and time.

#include <cstdint>
#include <string>

namespace dt::elf {

struct Options {
  std::uint64_t seed = 0;  // 0 = not given
  std::uint64_t count = 0;
  std::uint64_t seconds = 0;
  std::uint64_t jobs = 1;
  std::string samples;
  std::string keep = "/tmp";  // where files go that failed
  std::string write;          // where all files go, not to be read but to be executed
};

// The exit status: 1 when a file failed.
int run_campaign(const Options& options);

}  // namespace dt::elf

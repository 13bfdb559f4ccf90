#pragma once
// How long each stage took, for -xstats; and what is being done, for a user
// who waits at a terminal.

#include <chrono>
#include <string>
#include <vector>

#include "cli/progress.h"
#include "dtrace/tracer.h"

namespace dt::cli {

class Stages {
 public:
  Stages();
  // A callback of the tracer: its progress.
  void take(const dtrace::Progress& progress);
  // The stage that begins now; ends the one before.
  void begin(std::string name);
  // Whatever is shown goes: a message follows.
  void stand_aside() { progress_.begin(""); }
  std::string report() const;

 private:
  using Clock = std::chrono::steady_clock;
  struct Entry {
    std::string name;
    Clock::time_point from;
  };
  std::vector<Entry> entries_;
  Progress progress_;
};

}  // namespace dt::cli

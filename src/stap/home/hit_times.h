#pragma once
// HitTimes: how often each handler has run, and how long that took (-t).

#include <cstdint>
#include <map>
#include <string>

#include "stap/meaning/program.h"
#include "support/source.h"

namespace dt::stap {

class HitTimes {
 public:
  void add(const Handler& handler, std::int64_t ns);
  // SystemTap's report: a line for each handler that has run, in the order of the script.
  std::string report(const Program& program, const Sources& sources) const;

 private:
  struct Times {
    std::int64_t hits = 0;
    std::int64_t least_ns = 0, most_ns = 0, sum_ns = 0;
  };
  std::map<const Handler*, Times> all_;
};

}  // namespace dt::stap

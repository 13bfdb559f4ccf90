// See hit_times.h.

#include "stap/home/hit_times.h"

#include <fmt/core.h>

#include <algorithm>

namespace dt::stap {

void HitTimes::add(const Handler& handler, std::int64_t ns) {
  Times& times = all_[&handler];
  times.least_ns = times.hits == 0 ? ns : std::min(times.least_ns, ns);
  times.most_ns = std::max(times.most_ns, ns);
  times.sum_ns += ns;
  ++times.hits;
}

std::string HitTimes::report(const Program& program, const Sources& sources) const {
  std::string out = "----- probe hit report: \n";
  for (const Handler& handler : program.handlers) {
    const auto found = all_.find(&handler);
    if (found == all_.end()) continue;
    const Times& one = found->second;
    const support::Location at = sources.locate(handler.span);
    out +=
        fmt::format("{}, ({}:{}:{}), hits: {}, ns: {}min/{}avg/{}max\n", handler.text, at.file,
                    at.line, at.column, one.hits, one.least_ns, one.sum_ns / one.hits, one.most_ns);
  }
  return out;
}

}  // namespace dt::stap

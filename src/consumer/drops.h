#pragma once
// Drop messages: what was lost since the last report, in DTrace's words
// (dtrace.md 1.12).

#include <cstdint>
#include <functional>
#include <span>
#include <string_view>
#include <vector>

namespace dt::consumer {

class Drops {
 public:
  // `counters` holds record::kDropCounters values per CPU, since the start.
  void report(std::span<const std::uint64_t> counters, bool tags,
              const std::function<void(std::string_view)>& error);

 private:
  std::vector<std::uint64_t> seen_;
};

}  // namespace dt::consumer

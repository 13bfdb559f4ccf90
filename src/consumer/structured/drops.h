#pragma once
// Drop messages: what was lost since the last report, in the wording of
// DTrace.

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace dt::consumer {

// What was lost of one kind, since it was last asked.
struct Loss {
  const char* tag;  // "PRINCIPAL"
  int cpu;          // -1: of all CPUs
  std::uint64_t count;
  std::string text;  // "17 drops on CPU 2"
};

std::string tagged(const Loss& loss, bool tags);

class Drops {
 public:
  // `counters` holds record::kDropCounters values per CPU, since the start.
  void each(std::span<const std::uint64_t> counters, const std::function<void(const Loss&)>& visit);
  // As messages, with the tag before each when that is asked for.
  void report(std::span<const std::uint64_t> counters, bool tags,
              const std::function<void(std::string_view)>& error);

 private:
  std::vector<std::uint64_t> seen_;
};

}  // namespace dt::consumer

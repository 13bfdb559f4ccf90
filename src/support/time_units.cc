#include "support/time_units.h"

#include <string>
#include <utility>

#include "support/text.h"

namespace dt::support {

std::optional<std::uint64_t> ns_of_unit(std::string_view unit) {
  static constexpr std::pair<std::string_view, std::uint64_t> kUnits[] = {
      {"ns", 1},
      {"nsec", 1},
      {"us", 1000},
      {"usec", 1000},
      {"ms", 1'000'000},
      {"msec", 1'000'000},
      {"s", kNsPerSecond},
      {"sec", kNsPerSecond},
      {"m", 60 * kNsPerSecond},
      {"min", 60 * kNsPerSecond},
      {"h", 3600 * kNsPerSecond},
      {"hour", 3600 * kNsPerSecond},
      {"d", 86'400 * kNsPerSecond},
      {"day", 86'400 * kNsPerSecond},
  };
  const std::string name = in_small_letters(unit);
  for (const auto& [known, ns] : kUnits) {
    if (name == known) return ns;
  }
  return std::nullopt;
}

}  // namespace dt::support

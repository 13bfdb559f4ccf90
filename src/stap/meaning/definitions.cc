// See definitions.h.

#include "stap/meaning/definitions.h"

#include <fmt/core.h>

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string_view>

#include "support/whole_number.h"

namespace dt::stap {

std::string define(Limits& limits, const std::string& definition) {
  const std::size_t equals = definition.find('=');
  const std::string name = definition.substr(0, equals);
  const auto value =
      equals == std::string::npos
          ? std::nullopt
          : support::whole_number<std::int64_t>(std::string_view(definition).substr(equals + 1));
  if (value && name == "HIST_ELISION") {
    limits.histogram_elision = *value;
    return {};
  }
  if (!value || *value < 0) {
    return fmt::format("-D {} is not used: a definition is NAME=NUMBER", definition);
  }
  if (name == "MAXACTION") {
    constexpr std::int64_t kTimes = 10;
    limits.max_action = *value;
    limits.max_action_interruptible = std::max(limits.max_action_interruptible, *value * kTimes);
  } else if (name == "MAXACTION_INTERRUPTIBLE") {
    limits.max_action_interruptible = *value;
  } else if (name == "MAXERRORS") {
    limits.max_errors = *value;
  } else if (name == "MAXNESTING") {
    limits.max_nesting = *value;
  } else if (name == "MAXMAPENTRIES") {
    limits.max_map_entries = *value;
  } else if (name == "STAP_HOME") {
    limits.runs_at_home = *value != 0;
  } else if (name == "MAXSTRINGLEN") {
    constexpr std::int64_t kWord = 8, kLeast = 64, kMost = 4096;
    limits.max_string_length = std::clamp((*value + kWord - 1) / kWord * kWord, kLeast, kMost);
    if (*value < kLeast || *value > kMost) {
      return fmt::format("-D {}: strings have {} to {} bytes, so {} are used", definition, kLeast,
                         kMost, limits.max_string_length);
    }
  } else {
    return fmt::format("-D {} is not used: nothing here depends on it", definition);
  }
  return {};
}

}  // namespace dt::stap

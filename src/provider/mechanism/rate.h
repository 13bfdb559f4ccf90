#pragma once
// The rate in the name of a profile or tick probe: "997", "997hz", "10ms".

#include <cstdint>
#include <string>
#include <string_view>

#include "support/result.h"

namespace dt::provider {

constexpr std::uint64_t kMinIntervalNs = 200'000;  // as DTrace: 5000 a second

// The interval in ns; the error says what is wrong with the text.
Result<std::uint64_t> parse_rate(std::string_view text);

}  // namespace dt::provider

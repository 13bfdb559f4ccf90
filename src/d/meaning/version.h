#pragma once
// Versions of D, as -x version and #pragma D binding name them.

#include <cstdint>
#include <optional>
#include <string_view>

namespace dt::d {

// "1.6.3" as a number that compares: major, minor, micro. Nothing for what is no version.
std::optional<std::uint32_t> parse_version(std::string_view text);

}  // namespace dt::d

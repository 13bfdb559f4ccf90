#pragma once
// The units of times in rates and options: "ms", "msec".

#include <cstdint>
#include <optional>
#include <string_view>

namespace dt::support {

constexpr std::uint64_t kNsPerSecond = 1'000'000'000;

// How many ns the unit has, in any case of its letters; nothing for another word.
std::optional<std::uint64_t> ns_of_unit(std::string_view unit);

}  // namespace dt::support

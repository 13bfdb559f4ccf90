#pragma once
// Times as a person reads them, and as one gives them.

#include <cstdint>
#include <string>

namespace dt::api {

constexpr std::int64_t kSecondNs = 1'000'000'000;

// Now, in ns since 1970.
std::int64_t now_ns();

// "2026-11-25 17:02:03", in the local time zone, of ns since 1970.
std::string date_text(std::int64_t ns);

}  // namespace dt::api

// See time_text.h.

#include "api/time_text.h"

#include <fmt/chrono.h>

#include <chrono>
#include <ctime>

namespace dt::api {

std::int64_t now_ns() {
  return std::chrono::duration_cast<std::chrono::nanoseconds>(
             std::chrono::system_clock::now().time_since_epoch())
      .count();
}

std::string date_text(std::int64_t ns) {
  constexpr std::int64_t kSecondNs = 1'000'000'000;
  const auto seconds = static_cast<std::time_t>(ns / kSecondNs);
  std::tm parts{};
  ::localtime_r(&seconds, &parts);
  return fmt::format("{:%Y-%m-%d %H:%M:%S}", parts);
}

}  // namespace dt::api

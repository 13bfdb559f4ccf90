// See time_text.h.

#include "api/options/time_text.h"

#include <fmt/chrono.h>

#include <ctime>

#include "support/clock.h"

namespace dt::api {

std::int64_t now_ns() { return support::now_ns(CLOCK_REALTIME); }

std::string date_text(std::int64_t ns) {
  const auto seconds = static_cast<std::time_t>(ns / kSecondNs);
  std::tm parts{};
  ::localtime_r(&seconds, &parts);
  return fmt::format("{:%Y-%m-%d %H:%M:%S}", parts);
}

}  // namespace dt::api

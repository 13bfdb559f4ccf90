#include "provider/mechanism/rate.h"

#include <string>

#include "support/text.h"
#include "support/time_units.h"

namespace dt::provider {
namespace {

constexpr std::uint64_t kMaxIntervalNs = 1000 * 86'400 * support::kNsPerSecond;  // a thousand days

Error refuse(std::string text, std::string remedy = {}) {
  return Error::of(std::move(text), std::move(remedy));
}

}  // namespace

Result<std::uint64_t> parse_rate(std::string_view text) {
  std::uint64_t number = 0;
  std::size_t digits = 0;
  for (; digits < text.size() && text[digits] >= '0' && text[digits] <= '9'; ++digits) {
    if (digits == 18) return refuse(fmt::format("the rate {} is too large", text));
    number = number * 10 + static_cast<std::uint64_t>(text[digits] - '0');
  }
  if (digits == 0) {
    return refuse(fmt::format("a rate is a number and a unit, not '{}'", text),
                  "as in 97hz, 10ms, 1s");
  }
  if (number == 0) return refuse("a rate of zero never fires", "as in 97hz, 10ms, 1s");
  const std::string suffix = support::in_small_letters(text.substr(digits));
  std::uint64_t interval = 0;
  if (suffix.empty() || suffix == "hz") {
    interval = support::kNsPerSecond / number;
  } else if (const auto unit = support::ns_of_unit(suffix)) {
    if (number > kMaxIntervalNs / *unit) {
      return refuse(fmt::format("the interval {} is longer than 1000 days", text));
    }
    interval = number * *unit;
  } else {
    return refuse(fmt::format("'{}' is no unit of a rate", text.substr(digits)),
                  "the units are ns, us, ms, s, m, h, d and hz");
  }
  if (interval < kMinIntervalNs) {
    return refuse(fmt::format("{} is too often: the shortest interval is 200us (5000hz)", text));
  }
  return interval;
}

}  // namespace dt::provider

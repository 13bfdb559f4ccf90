#include "provider/mechanism/rate.h"

#include <string>

#include "support/text.h"

namespace dt::provider {
namespace {

constexpr std::uint64_t kSecond = 1'000'000'000;
constexpr std::uint64_t kMaxIntervalNs = 1000 * 86'400 * kSecond;  // a thousand days

struct Unit {
  std::string_view name;
  std::uint64_t ns;
};
constexpr Unit kUnits[] = {
    {"ns", 1},
    {"nsec", 1},
    {"us", 1000},
    {"usec", 1000},
    {"ms", 1'000'000},
    {"msec", 1'000'000},
    {"s", kSecond},
    {"sec", kSecond},
    {"m", 60 * kSecond},
    {"min", 60 * kSecond},
    {"h", 3600 * kSecond},
    {"hour", 3600 * kSecond},
    {"d", 86'400 * kSecond},
    {"day", 86'400 * kSecond},
};

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
  if (number == 0) return refuse("a rate of zero never fires");
  const std::string suffix = support::in_small_letters(text.substr(digits));
  std::uint64_t interval = 0;
  if (suffix.empty() || suffix == "hz") {
    interval = kSecond / number;
  } else {
    for (const Unit& unit : kUnits) {
      if (suffix != unit.name) continue;
      if (number > kMaxIntervalNs / unit.ns) {
        return refuse(fmt::format("the interval {} is longer than 1000 days", text));
      }
      interval = number * unit.ns;
      break;
    }
    if (interval == 0) {
      return refuse(fmt::format("'{}' is no unit of a rate", text.substr(digits)),
                    "the units are ns, us, ms, s, m, h, d and hz");
    }
  }
  if (interval < kMinIntervalNs) {
    return refuse(fmt::format("{} is too often: the shortest interval is 200us (5000hz)", text));
  }
  return interval;
}

}  // namespace dt::provider

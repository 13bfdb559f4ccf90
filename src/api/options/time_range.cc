// See time_range.h.

#include "api/options/time_range.h"

#include <fmt/core.h>

#include <charconv>
#include <ctime>
#include <string>

#include "api/options/time_text.h"
#include "support/shown.h"
#include "support/time_units.h"

namespace dt::api {
namespace {

template <typename Number>
bool take(std::string_view& text, Number& number) {
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  text.remove_prefix(static_cast<std::size_t>(end - text.data()));
  return error == std::errc();
}

// "17:02:03"
bool take_clock(std::string_view text, std::int64_t start_ns, std::int64_t& out) {
  int hour = 0, minute = 0, second = 0;
  const auto colon = [&] {
    if (!text.starts_with(':')) return false;
    text.remove_prefix(1);
    return true;
  };
  if (!take(text, hour) || !colon() || !take(text, minute) || !colon() || !take(text, second) ||
      !text.empty() || hour < 0 || hour > 23 || minute < 0 || minute > 59 || second < 0 ||
      second > 60) {
    return false;
  }
  const auto start = static_cast<std::time_t>(start_ns / kSecondNs);
  std::tm day{};
  ::localtime_r(&start, &day);
  const int start_of_day = (day.tm_hour * 60 + day.tm_min) * 60 + day.tm_sec;
  // A recording that goes beyond midnight: an earlier time is one of the next day.
  if ((hour * 60 + minute) * 60 + second < start_of_day) ++day.tm_mday;
  day.tm_hour = hour;
  day.tm_min = minute;
  day.tm_sec = second;
  day.tm_isdst = -1;
  out = static_cast<std::int64_t>(::mktime(&day)) * kSecondNs;
  return true;
}

bool take_time(std::string_view text, std::int64_t start_ns, std::int64_t& out) {
  if (text.empty()) return true;
  if (text.find(':') != std::string_view::npos) return take_clock(text, start_ns, out);
  std::int64_t number = 0;
  if (!take(text, number) || number < 0) return false;
  if (text.empty()) {
    out = number;
    return true;
  }
  const auto unit = support::ns_of_unit(text);
  if (!unit || number > (std::numeric_limits<std::int64_t>::max() - start_ns) /
                            static_cast<std::int64_t>(*unit)) {
    return false;
  }
  out = start_ns + number * static_cast<std::int64_t>(*unit);
  return true;
}

}  // namespace

Result<TimeRange> parse_range(std::string_view text, std::int64_t start_ns) {
  const std::size_t dots = text.find("..");
  TimeRange range;
  if (dots == std::string_view::npos ||
      !take_time(text.substr(0, dots), start_ns, range.begin_ns) ||
      !take_time(text.substr(dots + 2), start_ns, range.end_ns) || range.begin_ns >= range.end_ns) {
    return Error::of(fmt::format("'{}' is no range of times", support::shown_name(text)),
                     "range=10s..20s since the start, range=17:02:03..17:02:05, or ns since 1970");
  }
  return range;
}

}  // namespace dt::api

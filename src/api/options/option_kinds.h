#pragma once
// How the value of an option is read from text, checked and kept. A line of
// options.def names one of these kinds with the member of Options that it sets. A
// kind without a member checks the value and sets nothing.

#include <cstdint>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "api/options/options.h"
#include "support/result.h"

namespace dt::api {

struct Flag {
  bool Options::*member = nullptr;
};
// A number or size above `high` becomes `high`, and Options::lowered says so: scripts that
// were written for other machines must run, but what they really got is reported. Below
// `low`, the value is rounded up to it; a 0 is an error unless `low` is 0.
struct Number {
  std::uint32_t Options::*member = nullptr;
  std::uint64_t low = 0, high = 0;
};
struct Size {  // 4096, 64k, 4m
  std::uint64_t Options::*member = nullptr;
  std::uint64_t low = 0, high = 0;
};
// A rate, or the time between two events. If it is out of range, the nearest limit is used.
struct Rate {  // 10hz, 100ms
  std::uint64_t Options::*member = nullptr;
  std::uint64_t low_ns = 0, high_ns = 0;
};
struct Text {
  std::string Options::*member = nullptr;
};
// What no other kind can keep: a choice of words, several members, a list. Without
// `text`, the value cannot be asked for.
struct Special {
  Status (*set)(Options&, std::string_view value) = nullptr;
  std::string (*text)(const Options&) = nullptr;
  bool may_be_empty = false;
};
constexpr bool kMayBeEmpty = true;

using Kind = std::variant<Flag, Number, Size, Rate, Text, Special>;

// `name` is for what is reported about the value.
Status set_value(Options& options, std::string_view name, const Kind& kind, std::string_view value);
std::string value_text(const Options& options, const Kind& kind);

// "on", "set", any number but 0, or "" -> true; in any case
Result<bool> parse_flag(std::string_view text);
Result<std::uint64_t> parse_number(std::string_view text);
// "4m" -> bytes
Result<std::uint64_t> parse_size(std::string_view text);
// "100hz" -> nanoseconds per interval; 0 is as often as possible
Result<std::uint64_t> parse_rate_ns(std::string_view text);

// DTrace's text for a value that an option cannot take; `remedy` says what it can.
Error invalid_value(std::string remedy = {});
Status check_bounds(std::uint64_t value, std::uint64_t low, std::uint64_t high);
Status check_word(std::string_view value, const std::vector<std::string_view>& allowed);

}  // namespace dt::api

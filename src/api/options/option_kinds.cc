// The values of options as text.

#include "api/options/option_kinds.h"

#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>
#include <limits>
#include <utility>

#include "support/text.h"
#include "support/time_units.h"

namespace dt::api {
namespace {

constexpr const char* kSizeWanted = "it is a number of bytes, such as 4096, 64k or 4m";
constexpr const char* kRateWanted = "it is a rate or a time, such as 10hz, 100ms or 5s";

// Leading digits (decimal, 0x hex or 0 octal) of `text`, the rest in `rest`. Blanks and a
// plus sign may stand before them, as strtoull() allows.
bool leading_number(std::string_view text, std::uint64_t& value, std::string_view& rest) {
  text.remove_prefix(std::min(text.find_first_not_of(" \t\n"), text.size()));
  if (text.starts_with('+')) {
    text.remove_prefix(1);
  }
  int base = 10;
  if (text.size() > 2 && text[0] == '0' && (text[1] == 'x' || text[1] == 'X')) {
    base = 16;
    text.remove_prefix(2);
  } else if (text.size() > 1 && text[0] == '0' && text[1] >= '0' && text[1] <= '9') {
    base = 8;
  }
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value, base);
  if (error != std::errc() || end == text.data()) {
    return false;
  }
  rest = text.substr(static_cast<std::size_t>(end - text.data()));
  return true;
}

// `value` within the limits of a number or size; above them it is lowered, which is noted.
template <typename Limited>
Result<std::uint64_t> fit(Options& options, std::string_view name, const Limited& limits,
                          std::uint64_t value) {
  if (value == 0 && limits.low > 0) {
    return invalid_value("it must be at least 1");
  }
  std::erase_if(options.lowered, [&](const Lowered& each) { return each.name == name; });
  if (value > limits.high) {
    options.lowered.push_back({std::string(name), value, limits.high});
  }
  return std::clamp(value, limits.low, limits.high);
}

// set() and text() for each kind.
struct Setter {
  Options& options;
  std::string_view name;
  std::string_view value;

  Status operator()(const Flag& flag) const {
    DT_ASSIGN(const bool is_set, parse_flag(value));
    if (flag.member != nullptr) {
      options.*flag.member = is_set;
    }
    return {};
  }
  Status operator()(const Number& number) const {
    DT_ASSIGN(const std::uint64_t parsed, parse_number(value));
    if (number.member != nullptr) {
      DT_ASSIGN(const std::uint64_t fitting, fit(options, name, number, parsed));
      options.*number.member = static_cast<std::uint32_t>(fitting);
    }
    return {};
  }
  Status operator()(const Size& size) const {
    DT_ASSIGN(const std::uint64_t bytes, parse_size(value));
    if (size.member != nullptr) {
      DT_ASSIGN(options.*size.member, fit(options, name, size, bytes));
    }
    return {};
  }
  Status operator()(const Rate& rate) const {
    DT_ASSIGN(const std::uint64_t rate_ns, parse_rate_ns(value));
    if (rate.member != nullptr) {
      options.*rate.member = std::clamp(rate_ns, rate.low_ns, rate.high_ns);
    }
    return {};
  }
  Status operator()(const Text& text) const {
    if (text.member == nullptr) {
      return {};
    }
    if (value.empty()) {
      return without_value();
    }
    options.*text.member = value;
    return {};
  }
  Status operator()(const Special& special) const {
    return value.empty() && !special.may_be_empty ? without_value() : special.set(options, value);
  }
  Status without_value() const {
    return invalid_value(fmt::format("it needs a value: {}=...", name));
  }
};

struct Printer {
  const Options& options;

  std::string operator()(const Flag& flag) const {
    return flag.member == nullptr ? "" : options.*flag.member ? "1" : "0";
  }
  std::string operator()(const Number& number) const { return decimal(number.member); }
  std::string operator()(const Size& size) const { return decimal(size.member); }
  std::string operator()(const Rate& rate) const { return decimal(rate.member); }
  std::string operator()(const Text& text) const {
    return text.member == nullptr ? "" : options.*text.member;
  }
  std::string operator()(const Special& special) const {
    return special.text == nullptr ? "" : special.text(options);
  }

  template <typename Integer>
  std::string decimal(Integer Options::*member) const {
    return member == nullptr ? "" : std::to_string(options.*member);
  }
};

}  // namespace

Status set_value(Options& options, std::string_view name, const Kind& kind,
                 std::string_view value) {
  return std::visit(Setter{options, name, value}, kind);
}

std::string value_text(const Options& options, const Kind& kind) {
  return std::visit(Printer{options}, kind);
}

Error invalid_value(std::string remedy) {
  return Error::of("Invalid value for specified option", std::move(remedy));
}

Status check_bounds(std::uint64_t value, std::uint64_t low, std::uint64_t high) {
  return value >= low && value <= high
             ? Status()
             : Status(invalid_value(fmt::format("it must be between {} and {}", low, high)));
}

Status check_word(std::string_view value, const std::vector<std::string_view>& allowed) {
  return std::find(allowed.begin(), allowed.end(), value) != allowed.end()
             ? Status()
             : Status(invalid_value(fmt::format("it is one of {}", fmt::join(allowed, ", "))));
}

Result<bool> parse_flag(std::string_view text) {
  static constexpr std::pair<std::string_view, bool> kWords[] = {
      {"", true},         {"on", true},        {"yes", true},    {"true", true}, {"enable", true},
      {"enabled", true},  {"set", true},       {"off", false},   {"no", false},  {"false", false},
      {"disable", false}, {"disabled", false}, {"unset", false},
  };
  const std::string word = support::in_small_letters(text);
  for (const auto& [name, is_set] : kWords) {
    if (word == name) {
      return is_set;
    }
  }
  if (const auto number = parse_number(text); number.ok()) {
    return *number != 0;
  }
  return invalid_value("it is on or off");
}

Result<std::uint64_t> parse_number(std::string_view text) {
  std::uint64_t value = 0;
  std::string_view rest;
  if (!leading_number(text, value, rest) || !rest.empty()) {
    return invalid_value("it is a whole number");
  }
  return value;
}

Result<std::uint64_t> parse_size(std::string_view text) {
  std::uint64_t value = 0;
  std::string_view suffix;
  if (!leading_number(text, value, suffix)) {
    return invalid_value(kSizeWanted);
  }
  unsigned shift = 0;
  if (suffix == "k" || suffix == "K")
    shift = 10;
  else if (suffix == "m" || suffix == "M")
    shift = 20;
  else if (suffix == "g" || suffix == "G")
    shift = 30;
  else if (suffix == "t" || suffix == "T")
    shift = 40;
  else if (!suffix.empty())
    return invalid_value(kSizeWanted);
  if (value > (std::numeric_limits<std::uint64_t>::max() >> shift)) {
    return invalid_value(kSizeWanted);
  }
  return value << shift;
}

Result<std::uint64_t> parse_rate_ns(std::string_view text) {
  std::uint64_t value = 0;
  std::string_view rest;
  if (!leading_number(text, value, rest)) return invalid_value(kRateWanted);
  const std::string suffix = support::in_small_letters(rest);
  if (suffix.empty() || suffix == "hz") {
    return value == 0 ? 0 : support::kNsPerSecond / value;
  }
  const auto unit = support::ns_of_unit(suffix);
  if (!unit || value > std::numeric_limits<std::uint64_t>::max() / *unit) {
    return invalid_value(kRateWanted);
  }
  return value * *unit;
}

}  // namespace dt::api

// See script_option.h.

#include "front/script_option.h"

#include <fmt/core.h>

#include <algorithm>
#include <iterator>
#include <limits>
#include <optional>
#include <utility>

#include "support/integer_text.h"
#include "support/text.h"

namespace dt::front {
namespace {

using support::IntegerText;
using support::parse_integer;

struct UnitWord {
  std::string_view word;
  std::uint64_t factor;
};
constexpr UnitWord kTimes[] = {{"ns", 1},
                               {"us", 1000},
                               {"ms", 1000000},
                               {"s", 1000000000},
                               {"sec", 1000000000},
                               {"m", 60000000000},
                               {"min", 60000000000},
                               {"h", 3600000000000},
                               {"d", 86400000000000}};
constexpr UnitWord kSizes[] = {
    {"k", 1ULL << 10}, {"m", 1ULL << 20}, {"g", 1ULL << 30}, {"t", 1ULL << 40}};

Error wrong(std::string text) { return Error::of(std::move(text)); }

// A number that may have a unit behind it; `alone` is the factor of one that has none.
template <std::size_t kCount>
std::optional<std::uint64_t> with_unit(std::string_view text, const UnitWord (&units)[kCount],
                                       std::uint64_t alone) {
  const std::size_t digits = std::min(text.find_first_not_of("0123456789"), text.size());
  const IntegerText number = parse_integer(text.substr(0, digits));
  if (digits == 0 || number.status != IntegerText::Status::kOk) {
    return std::nullopt;
  }
  const std::string unit = support::in_small_letters(text.substr(digits));
  std::uint64_t factor = alone;
  if (!unit.empty()) {
    const auto* const found =
        std::find_if(std::begin(units), std::end(units),
                     [&unit](const UnitWord& one) { return one.word == unit; });
    if (found == std::end(units)) {
      return std::nullopt;
    }
    factor = found->factor;
  }
  std::uint64_t product = 0;
  if (__builtin_mul_overflow(number.value, factor, &product) ||
      product > static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max())) {
    return std::nullopt;
  }
  return product;
}

bool is_integer(std::string_view text) {
  const bool sign = text.starts_with('-') || text.starts_with('+');
  const std::string_view digits = text.substr(sign ? 1 : 0);
  return !digits.empty() && digits[0] >= '0' && digits[0] <= '9' &&
         parse_integer(digits).status == IntegerText::Status::kOk;
}

// The constant of D that is meant: SIGKILL by "kill" or "SIGKILL", ENOENT by "ENOENT". Nothing,
// where no constant can be meant.
std::string constant_name(std::string_view given, std::string_view prefix) {
  std::string name(given);
  for (char& c : name) {
    c = c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c;
  }
  if (!name.starts_with(prefix)) {
    name.insert(0, prefix == "SIG" ? prefix : "");
  }
  const bool is_name =
      name.starts_with(prefix) && name.size() > prefix.size() &&
      name.find_first_not_of("ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789") == std::string::npos;
  return is_name ? name : "";
}

Result<ScriptValue> number_or_name(std::string_view given, std::string_view prefix,
                                   std::string_view expected) {
  if (given.empty()) {
    return ScriptValue{"0", "0"};
  }
  const std::string text = is_integer(given) ? std::string(given) : constant_name(given, prefix);
  if (text.empty()) {
    return wrong(fmt::format("'{}' is not {}", given, expected));
  }
  return ScriptValue{text, text};
}

Result<ScriptValue> process_number(std::string_view given) {
  const std::string_view number =
      given.substr(std::min(given.find_first_not_of(" \t\n"), given.size()));
  const IntegerText parsed = parse_integer(number);
  const bool is_number =
      is_integer(number) && parsed.status == IntegerText::Status::kOk && parsed.value > 0 &&
      parsed.value <= static_cast<std::uint64_t>(std::numeric_limits<std::int32_t>::max());
  if (!given.empty() && !is_number && number != kTarget) {
    return wrong(fmt::format("'{}' is not the number of a process", given));
  }
  const std::string text(given.empty() ? "0" : number);
  return ScriptValue{text, text};
}

}  // namespace

Result<ScriptValue> script_value(const ScriptOption& option, std::string_view given) {
  using Type = ScriptOption::Type;
  const bool is_missing = given.empty() && option.type != Type::kString;
  switch (option.type) {
    case Type::kString:
      return ScriptValue{std::string(given), std::string(given), true};
    case Type::kBool:
      if (given == "1" || given == "0" || is_missing) {
        return ScriptValue{given == "1" ? "1" : "0", given == "1" ? "1" : "0"};
      }
      return wrong(fmt::format("'{}' is not 0 or 1", given));
    case Type::kInt:
      if (is_missing || is_integer(given) || given == kTarget) {
        const std::string text(is_missing ? "0" : given);
        return ScriptValue{text, text};
      }
      return wrong(fmt::format("'{}' is not a number", given));
    case Type::kTime:
      if (const auto ns = with_unit(is_missing ? "0" : given, kTimes, 1000000000)) {
        return ScriptValue{fmt::format("{}", *ns), fmt::format("{}ns", *ns)};
      }
      return wrong(fmt::format("'{}' is not a time, such as 5, 100ms or 2m", given));
    case Type::kSize:
      if (const auto bytes = with_unit(is_missing ? "0" : given, kSizes, 1)) {
        return ScriptValue{fmt::format("{}", *bytes), fmt::format("{}", *bytes)};
      }
      return wrong(fmt::format("'{}' is not a size, such as 512, 64k or 4m", given));
    case Type::kProcess:
      return process_number(given);
    case Type::kUser:
      if (is_missing || is_integer(given)) {
        const std::string text(is_missing ? "0" : given);
        return ScriptValue{text, text};
      }
      return wrong(fmt::format("there is no user '{}'", given));
    case Type::kSignal:
      return number_or_name(given, "SIG", "a signal, such as 9 or SIGKILL");
    case Type::kError:
      return number_or_name(given, "E", "an error, such as 2 or ENOENT");
  }
  return wrong("no type");
}

}  // namespace dt::front

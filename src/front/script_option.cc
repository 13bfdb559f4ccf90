// See script_option.h.

#include "front/script_option.h"

#include <fmt/core.h>

#include <algorithm>
#include <cctype>
#include <csignal>
#include <cstdint>
#include <cstring>
#include <iterator>
#include <limits>
#include <optional>
#include <utility>
#include <vector>

#include "support/integer_text.h"
#include "support/nearest.h"
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

// A number without a sign, as C writes it; nothing for any other text.
std::optional<std::uint64_t> natural(std::string_view text) {
  if (text.empty() || text[0] < '0' || text[0] > '9') {
    return std::nullopt;
  }
  const IntegerText number = parse_integer(text);
  return number.status == IntegerText::Status::kOk ? std::optional(number.value) : std::nullopt;
}

bool is_integer(std::string_view text) {
  const bool has_sign = text.starts_with('-') || text.starts_with('+');
  return natural(text.substr(has_sign ? 1 : 0)).has_value();
}

// A value that is in D what was given; without one, 0.
ScriptValue as_given(std::string_view given) {
  const std::string text(given.empty() ? "0" : given);
  return {text, text};
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

// Numbers with names: signals or errors.
struct Named {
  std::string_view prefix, expected;
  std::int64_t last;                     // the highest number that there is
  std::vector<std::string_view> others;  // second names, which the C library does not give
  const char* (*name)(int number);       // without the prefix, if it has one
};

const Named& signals() {
  static const Named kSignals{"SIG",
                              "a signal, such as 9 or SIGKILL",
                              64,
                              {"SIGIOT", "SIGCLD", "SIGIO", "SIGPOLL"},
                              [](int number) { return ::sigabbrev_np(number); }};
  return kSignals;
}

const Named& errors() {
  // 4095 is the highest number that the kernel takes for an error (MAX_ERRNO of its err.h).
  static const Named kErrors{"E",
                             "an error, such as 2 or ENOENT",
                             4095,
                             {"EWOULDBLOCK", "EDEADLOCK", "ENOTSUP", "EOPNOTSUPP"},
                             [](int number) { return ::strerrorname_np(number); }};
  return kErrors;
}

std::vector<std::string> names_of(const Named& numbers) {
  constexpr int kMore = 256;  // more than there are names of either
  std::vector<std::string> names(numbers.others.begin(), numbers.others.end());
  for (int number = 1; number < kMore; ++number) {
    const char* const name = numbers.name(number);
    if (name != nullptr) {
      names.push_back((numbers.prefix == "SIG" ? "SIG" : "") + std::string(name));
    }
  }
  return names;
}

Result<ScriptValue> number_or_name(std::string_view given, const Named& numbers) {
  if (given.empty()) {
    return as_given(given);
  }
  if (is_integer(given)) {
    const auto number = natural(given.substr(given.starts_with('+') ? 1 : 0));
    if (!number || *number > static_cast<std::uint64_t>(numbers.last)) {
      return wrong(fmt::format("'{}' is not {}", given, numbers.expected));
    }
    return as_given(given);
  }
  const std::string text = constant_name(given, numbers.prefix);
  const std::vector<std::string> names = names_of(numbers);
  if (!text.empty() && std::find(names.begin(), names.end(), text) != names.end()) {
    return ScriptValue{text, text};
  }
  const std::string meant = support::nearest(text, {names.begin(), names.end()});
  return wrong(meant.empty() ? fmt::format("'{}' is not {}", given, numbers.expected)
                             : fmt::format("'{}' is not {}; did you mean {}?", given,
                                           numbers.expected, meant));
}

Result<ScriptValue> number_from(std::string_view given, std::uint64_t least, std::uint64_t most,
                                std::string_view expected) {
  const auto number = natural(given);
  const bool is_one = number && *number >= least && *number <= most;
  if (!given.empty() && given != kTarget && !is_one) {
    return wrong(fmt::format("'{}' is not {}", given, expected));
  }
  return as_given(given);
}

Result<ScriptValue> user_number(std::string_view given) {
  // -1 is the default of scripts that mean all users; no user has it as a number.
  constexpr std::uint64_t kLast = std::numeric_limits<std::uint32_t>::max() - 1;
  const auto number = natural(given);
  const bool is_one = given == "-1" || (number && *number <= kLast);
  if (!given.empty() && !is_one) {
    return wrong(fmt::format("there is no user '{}'", given));
  }
  return as_given(given);
}

Result<ScriptValue> process_number(std::string_view given) {
  constexpr std::uint64_t kLast = std::numeric_limits<std::int32_t>::max();
  const std::string_view text =
      given.substr(std::min(given.find_first_not_of(" \t\n"), given.size()));
  const auto number = natural(text);
  const bool is_process = number && *number > 0 && *number <= kLast;
  if (!given.empty() && !is_process && text != kTarget) {
    // The name of a program is what people remember.
    const bool is_name = std::all_of(text.begin(), text.end(),
                                     [](char c) {
                                       return std::isalnum(static_cast<unsigned char>(c)) != 0 ||
                                              c == '-' || c == '_';
                                     }) &&
                         std::any_of(text.begin(), text.end(), [](char c) {
                           return std::isalpha(static_cast<unsigned char>(c)) != 0;
                         });
    return wrong(fmt::format("'{}' is not the number of a process{}", given,
                             is_name ? fmt::format(": pgrep -n {} prints it", text) : ""));
  }
  return as_given(text);
}

}  // namespace

bool is_string(ScriptOption::Type type) {
  using Type = ScriptOption::Type;
  return type == Type::kString || (type >= Type::kDisk && type <= Type::kTerminal);
}

Result<ScriptValue> script_value(const ScriptOption& option, std::string_view given) {
  using Type = ScriptOption::Type;
  constexpr auto kMost = static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max());
  const bool is_missing = given.empty() && !is_string(option.type);
  switch (option.type) {
    case Type::kString:
    case Type::kDisk:
    case Type::kDevice:
    case Type::kFileSystem:
    case Type::kService:
    case Type::kTerminal:
      return ScriptValue{std::string(given), std::string(given), true};
    case Type::kBool:
      if (given == "1" || given == "0" || is_missing) {
        return ScriptValue{given == "1" ? "1" : "0", given == "1" ? "1" : "0"};
      }
      return wrong(fmt::format("'{}' is not 0 or 1", given));
    case Type::kInt:
      if (is_missing || is_integer(given) || given == kTarget) {
        return as_given(given);
      }
      return wrong(fmt::format("'{}' is not a number", given));
    case Type::kTime:
    case Type::kPeriod:
      if (const auto ns = with_unit(is_missing ? "0" : given, kTimes, 1000000000)) {
        if (*ns == 0 && !is_missing && option.type == Type::kPeriod) {
          return wrong(fmt::format("'{}' is not a time above 0, such as 5, 100ms or 2m", given));
        }
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
      return user_number(given);
    case Type::kSignal:
      return number_or_name(given, signals());
    case Type::kError:
      return number_or_name(given, errors());
    case Type::kUint:
      return number_from(given, 0, kMost, "a number of at least 0");
    case Type::kCount:
      return number_from(given, 1, kMost, "a number of at least 1");
    case Type::kPort:
      return number_from(given, 1, 65535, "a port, 1 to 65535");
  }
  return wrong("no type");
}

}  // namespace dt::front

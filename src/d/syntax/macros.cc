#include "d/syntax/macros.h"

#include <fmt/core.h>

#include <algorithm>

#include "support/diagnostics.h"
#include "support/nearest.h"

namespace dt::d {
namespace {

constexpr std::uint64_t kMaxArgument = 9999;  // $n beyond this is not an argument

bool is_digit(char c) { return c >= '0' && c <= '9'; }

int digit_value(char c) {
  if (is_digit(c)) {
    return c - '0';
  }
  if (c >= 'a' && c <= 'f') {
    return c - 'a' + 10;
  }
  return c >= 'A' && c <= 'F' ? c - 'A' + 10 : -1;
}

const std::vector<std::string_view>& macro_names() {
  static const std::vector<std::string_view> names = {
      "target", "pid", "ppid", "uid", "euid", "gid", "egid", "pgid", "sid", "projid", "taskid"};
  return names;
}

}  // namespace

IntegerText parse_integer(std::string_view digits) {
  IntegerText out;
  unsigned base = 10;
  std::size_t at = 0;
  if (digits.size() > 1 && digits[0] == '0') {
    const bool hex = digits[1] == 'x' || digits[1] == 'X';
    base = hex ? 16 : 8;
    at = hex ? 2 : 1;
  }
  if (at == digits.size()) {
    return IntegerText{IntegerText::Status::kBadDigit, 0, at == 0 ? 0 : at - 1};
  }
  for (; at < digits.size(); ++at) {
    const int digit = digit_value(digits[at]);
    if (digit < 0 || static_cast<unsigned>(digit) >= base) {
      return IntegerText{IntegerText::Status::kBadDigit, 0, at};
    }
    if (__builtin_mul_overflow(out.value, std::uint64_t{base}, &out.value) ||
        __builtin_add_overflow(out.value, static_cast<std::uint64_t>(digit), &out.value)) {
      out.status = IntegerText::Status::kOverflow;  // a bad digit may still follow
    }
  }
  return out;
}

std::optional<Macros::Value> Macros::find(std::string_view name) {
  if (!name.empty() && is_digit(name[0])) {
    std::uint64_t index = 0;
    for (const char c : name) {
      index = std::min(index * 10 + static_cast<std::uint64_t>(c - '0'), kMaxArgument + 1);
    }
    if (index <= kMaxArgument) {
      if (references_.size() <= index) {
        references_.resize(index + 1);
      }
      references_[index] = true;
    }
    if (index < world_.macro_args.size()) {
      return Value{world_.macro_args[index]};
    }
    return default_args_ ? std::optional(Value{"", true}) : std::nullopt;
  }
  if (world_.macro) {
    if (const std::optional<std::int64_t> value = world_.macro(name)) {
      return Value{fmt::format("{}", *value)};
    }
  }
  return std::nullopt;
}

std::optional<Macros::Value> Macros::find_in_expression(std::string_view name) {
  std::optional<Value> found = find(name);
  if (!found && name == "target") found = Value{"0"};
  return found;
}

std::string Macros::undefined_text(std::string_view name) {
  return fmt::format("macro {} ${} is not defined",
                     !name.empty() && is_digit(name[0]) ? "argument" : "variable", name);
}

std::string Macros::undefined_hint(std::string_view name) {
  if (!name.empty() && is_digit(name[0])) {
    return "give it after the script's name, or allow it to be missing with -x defaultargs";
  }
  if (name == "target") {
    return "give a process to trace with -p PID or -c COMMAND";
  }
  const std::string near = support::nearest(name, macro_names());
  return near.empty() ? std::string() : fmt::format("did you mean \"${}\"?", near);
}

}  // namespace dt::d

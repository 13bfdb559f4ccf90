// See unit.h.

#include "view/unit.h"

#include <algorithm>
#include <cctype>

#include "consumer/structured/json_lines.h"
#include "support/time_units.h"
#include "support/whole_number.h"

namespace dt::view {
namespace {

// How much of the text is a variable, with members and subscripts: "self->t", "start[tid, arg0]".
std::size_t operand_length(std::string_view text) {
  std::size_t at = 0;
  int depth = 0;
  for (; at < text.size(); ++at) {
    const char c = text[at];
    if (c == '[' || (c == '(' && depth > 0)) ++depth;
    if ((c == ']' || c == ')') && depth > 0) {
      --depth;
      continue;
    }
    if (depth > 0) continue;
    if (text.substr(at, 2) == "->") {
      ++at;
      continue;
    }
    const bool is_part = std::isalnum(static_cast<unsigned char>(c)) != 0 ||
                         std::string_view("_.$`[").find(c) != std::string_view::npos;
    if (!is_part) break;
  }
  return at;
}

bool take(std::string_view& text, std::string_view word) {
  if (!text.starts_with(word)) return false;
  text.remove_prefix(word.size());
  return true;
}

// "timestamp-self->t", which may be in parentheses.
bool take_difference(std::string_view& text, bool& is_wall) {
  std::string_view rest = text;
  std::size_t parentheses = 0;
  while (take(rest, "(")) ++parentheses;
  is_wall = !rest.starts_with('v');
  if (!take(rest, "walltimestamp") && !take(rest, "vtimestamp") && !take(rest, "timestamp")) {
    return false;
  }
  if (rest.starts_with("->") || !take(rest, "-")) return false;
  const std::size_t length = operand_length(rest);
  if (length == 0) return false;
  rest.remove_prefix(length);
  for (; parentheses > 0; --parentheses) {
    if (!take(rest, ")")) return false;
  }
  text = rest;
  return true;
}

}  // namespace

std::optional<TimeDifference> time_difference(std::string_view text) {
  std::string compact;
  std::ranges::copy_if(text, std::back_inserter(compact), [](char c) { return c != ' '; });
  // Parentheses around all of it, "((timestamp - t) / 1000)", are not looked into.
  std::string_view rest = compact;
  TimeDifference out;
  if (!take_difference(rest, out.is_wall)) return std::nullopt;
  if (rest.empty()) return out;
  for (const auto& [divisor, ns] : {std::pair<std::string_view, std::uint64_t>{"/1000", 1000},
                                    {"/1000000", 1'000'000},
                                    {"/1000000000", 1'000'000'000}}) {
    if (rest != divisor) continue;
    out.unit_ns = ns;
    return out;
  }
  return std::nullopt;
}

const char* unit_text(std::uint64_t unit_ns) {
  switch (unit_ns) {
    case 0:
      return "";
    case 1:
      return "ns";
    case 1000:
      return "us";
    case 1'000'000:
      return "ms";
    default:
      return "s";
  }
}

namespace {

// 0 where the name says none.
std::uint64_t interval_ns(std::string_view tick) {
  constexpr std::string_view kDigits = "0123456789";
  const std::size_t begin = tick.find_first_of(kDigits);
  if (begin == std::string_view::npos) return 0;
  const std::size_t end = std::min(tick.find_first_not_of(kDigits, begin), tick.size());
  const auto number = support::whole_number<std::uint64_t>(tick.substr(begin, end - begin));
  std::string_view unit = tick.substr(end);
  if (tick.starts_with("timer.") && begin > 7) unit = tick.substr(6, begin - 7);
  if (!number || *number == 0) return 0;
  if (unit.empty() || unit == "hz") return support::kNsPerSecond / *number;
  return *number * support::ns_of_unit(unit).value_or(0);
}

}  // namespace

int second_digits(const std::vector<std::string>& ticks) {
  constexpr std::uint64_t kMs = 1'000'000;
  int digits = 0;
  for (const std::string& tick : ticks) {
    const std::uint64_t interval = interval_ns(tick);
    if (interval % support::kNsPerSecond != 0) digits = std::max(digits, interval < kMs ? 6 : 3);
  }
  return digits;
}

std::string argument_text(const record::AggLayout& layout, const Sources& sources) {
  record::Field field;
  field.span = layout.argument;
  return field.span == Span{} ? "" : consumer::value_name(sources, field);
}

std::uint64_t unit_of(const record::AggLayout& layout, const Sources& sources) {
  if (layout.func == record::AggFunc::kCount) return 0;
  const auto difference = time_difference(argument_text(layout, sources));
  return difference ? difference->unit_ns : 0;
}

}  // namespace dt::view

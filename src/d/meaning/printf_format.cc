// Parsing of printf() formats.

#include "d/meaning/printf_format.h"

#include <fmt/core.h>

namespace dt::d {
namespace {

bool is_digit(char c) { return c >= '0' && c <= '9'; }

// Which size prefixes a letter takes, as a list of the prefixes.
bool takes_prefix(char letter, std::string_view prefix) {
  if (prefix.empty()) {
    return std::string_view("aAcCdeEfgGiIkopPsSTuxXY").find(letter) != std::string_view::npos;
  }
  const auto one_of = [letter](std::string_view letters) {
    return letters.find(letter) != std::string_view::npos;
  };
  if (prefix == "h") {
    return one_of("dioxXu");
  }
  if (prefix == "l") {
    return one_of("dioxXucs");
  }
  if (prefix == "ll") {
    return one_of("dioxXu");
  }
  if (prefix == "L") {
    return one_of("eEfgG");
  }
  return prefix == "w" && one_of("cs");
}

// A number, * or (for a width) ?; returns true for *.
bool parse_size(std::string_view text, std::size_t& i, bool width) {
  if (i < text.size() && text[i] == '*') {
    ++i;
    return true;
  }
  if (width && i < text.size() && text[i] == '?') {
    ++i;
    return false;
  }
  while (i < text.size() && is_digit(text[i])) {
    ++i;
  }
  return false;
}

}  // namespace

Format parse_format(std::string_view text) {
  Format out;
  std::size_t i = 0;
  while (i < text.size()) {
    if (text[i] != '%') {
      ++i;
      continue;
    }
    const std::size_t begin = i++;
    if (i < text.size() && text[i] == '%') {
      ++i;
      continue;
    }
    Conversion conversion;
    conversion.begin = static_cast<std::uint32_t>(begin);
    while (i < text.size() && std::string_view("'-+ #0").find(text[i]) != std::string_view::npos) {
      ++i;
    }
    if (i < text.size() && text[i] == '@') {
      conversion.aggregation = true;
      ++i;
    }
    while (i < text.size() && std::string_view("'-+ #0").find(text[i]) != std::string_view::npos) {
      ++i;
    }
    conversion.dynamic_width = parse_size(text, i, true);
    if (i < text.size() && text[i] == '.') {
      ++i;
      conversion.dynamic_precision = parse_size(text, i, false);
    }
    if (i < text.size() && text[i] == '@') {
      conversion.aggregation = true;
      ++i;
    }
    while (i < text.size() && std::string_view("hlLw").find(text[i]) != std::string_view::npos &&
           conversion.prefix.size() < 2) {
      conversion.prefix += text[i++];
    }
    if (i >= text.size()) {
      out.error = FormatError{conversion.begin, static_cast<std::uint32_t>(text.size()),
                              "incomplete conversion at the end of the format string"};
      return out;
    }
    conversion.letter = text[i++];
    conversion.end = static_cast<std::uint32_t>(i);
    if (!takes_prefix(conversion.letter, conversion.prefix)) {
      const std::string_view whole = text.substr(begin, i - begin);
      out.error = FormatError{conversion.begin, conversion.end,
                              fmt::format("conversion #{} ({}) is not one that D knows",
                                          out.conversions.size() + 1, whole)};
      return out;
    }
    out.conversions.push_back(std::move(conversion));
  }
  return out;
}

const char* conversion_prototype(const Conversion& conversion) {
  switch (conversion.letter) {
    case 'a':
    case 'A':
    case 'p':
      return "pointer or integer";
    case 'c':
    case 'C':
      return "char, short or int";
    case 'e':
    case 'E':
    case 'f':
    case 'g':
    case 'G':
      return "float, double or long double";
    case 'I':
      return "string";
    case 'k':
      return "stack";
    case 's':
    case 'S':
      return "char [] or string (or use stringof)";
    case 'T':
    case 'Y':
      return "int64_t";
    default:
      break;
  }
  if (conversion.prefix.empty()) {
    return "char, short, int, long or long long";
  }
  return conversion.prefix == "h" ? "short" : conversion.prefix == "l" ? "long" : "long long";
}

}  // namespace dt::d

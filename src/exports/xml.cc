// See xml.h.

#include "exports/xml.h"

#include <algorithm>

#include "support/shown.h"

namespace dt::exports {
namespace {

std::string escaped(std::string_view text) {
  std::string out;
  for (const char c : text) {
    switch (c) {
      case '&':
        out += "&amp;";
        break;
      case '<':
        out += "&lt;";
        break;
      case '>':
        out += "&gt;";
        break;
      case '"':
        out += "&quot;";
        break;
      default:
        out += c;
    }
  }
  return out;
}

}  // namespace

std::string xml_text(std::string_view text) { return escaped(support::shown_name(text)); }

std::string xml_label(std::string_view text, std::size_t letters) {
  if (letters == 0) return "";
  const std::string shown = support::shown_name(text);
  std::size_t end = 0, cut = 0;
  for (std::size_t count = 1; end < shown.size(); ++count) {
    end += std::max<std::size_t>(1, support::utf8_length(std::string_view(shown).substr(end)));
    if (count + 2 == letters) cut = end;
    if (count == letters && end < shown.size()) return escaped(shown.substr(0, cut) + "..");
  }
  return escaped(shown);
}

std::string one_line(std::string_view text) {
  std::string out;
  for (const char c : text) {
    const bool is_blank = c == ' ' || c == '\n' || c == '\t';
    if (!is_blank) out += c;
    if (is_blank && !out.empty() && out.back() != ' ') out += ' ';
  }
  return out;
}

std::string grouped(std::uint64_t number) {
  std::string digits = std::to_string(number);
  for (std::size_t at = digits.size(); at > 3;) digits.insert(at -= 3, ",");
  return digits;
}

std::string grouped_signed(std::int64_t number) {
  if (number >= 0) return grouped(static_cast<std::uint64_t>(number));
  return "-" + grouped(0 - static_cast<std::uint64_t>(number));
}

}  // namespace dt::exports

// See characters.h.

#include "d/syntax/characters.h"

#include <array>
#include <cstddef>
#include <cstdint>

namespace dt::d {
namespace {

enum : std::uint8_t { kDigit = 1, kLetter = 2, kSpace = 4, kProbeChar = 8 };

constexpr auto kClasses = [] {
  std::array<std::uint8_t, 256> table{};
  for (std::size_t c = '0'; c <= '9'; ++c) {
    table[c] = kDigit | kProbeChar;
  }
  for (std::size_t c = 'a'; c <= 'z'; ++c) {
    table[c] = kLetter | kProbeChar;
    table[c - 'a' + 'A'] = kLetter | kProbeChar;
  }
  table['_'] = kLetter | kProbeChar;
  for (const char c : std::string_view(" \t\n\r\v\f")) {
    table[static_cast<unsigned char>(c)] = kSpace;
  }
  for (const char c : std::string_view("-.:?*\\[]!$`@+~^")) {
    table[static_cast<unsigned char>(c)] |= kProbeChar;
  }
  for (std::size_t c = 0x80; c <= 0xff; ++c) {
    table[c] = kProbeChar;  // names of languages that allow UTF-8
  }
  return table;
}();

bool has_class(char c, std::uint8_t mask) {
  return (kClasses[static_cast<unsigned char>(c)] & mask) != 0;
}

}  // namespace

bool is_digit(char c) { return has_class(c, kDigit); }
bool is_name_start(char c) { return has_class(c, kLetter); }
bool is_name(char c) { return has_class(c, kLetter | kDigit); }
bool is_blank(char c) { return has_class(c, kSpace); }
bool is_probe_char(char c) { return has_class(c, kProbeChar); }

std::string_view trim(std::string_view text) {
  while (!text.empty() && is_blank(text.front())) {
    text.remove_prefix(1);
  }
  while (!text.empty() && is_blank(text.back())) {
    text.remove_suffix(1);
  }
  return text;
}

std::string squeeze(std::string_view text) {
  std::string out;
  bool quoted = false;
  const auto blank = [&out] {
    if (!out.empty() && out.back() != ' ') {
      out += ' ';
    }
  };
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    const char next = i + 1 < text.size() ? text[i + 1] : '\0';
    if (quoted && c != '"') {
      out += c;
    } else if (c == '"') {
      quoted = !quoted;
      out += c;
    } else if (c == '/' && next == '*') {
      const std::size_t end = text.find("*/", i + 2);
      i = end == std::string_view::npos ? text.size() : end + 1;
      blank();
    } else if (c == '/' && next == '/' && (out.empty() || out.back() == ' ')) {
      break;
    } else if (is_blank(c) || (c == '\\' && (next == '\n' || next == '\r'))) {
      blank();
    } else {
      out += c;
    }
  }
  return std::string(trim(out));
}

}  // namespace dt::d

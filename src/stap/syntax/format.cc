// See format.h.

#include "stap/syntax/format.h"

#include <fmt/core.h>

#include <algorithm>

namespace dt::stap {
namespace {

constexpr int kMostWidth = 4096;

bool is_flag(char c, FormatPiece& piece) {
  switch (c) {
    case '-':
      return piece.minus = true;
    case '0':
      return piece.zero = true;
    case '+':
      return piece.plus = true;
    case ' ':
      return piece.space = true;
    case '#':
      return piece.alternate = true;
    default:
      return false;
  }
}

// Digits or *.
void number(std::string_view text, std::size_t& at, std::optional<int>& value, bool& is_argument) {
  if (at < text.size() && text[at] == '*') {
    is_argument = true;
    ++at;
    return;
  }
  while (at < text.size() && text[at] >= '0' && text[at] <= '9') {
    value = std::min(value.value_or(0) * 10 + (text[at++] - '0'), kMostWidth);
  }
}

void pad(std::string& out, const FormatPiece& piece, std::string_view text, bool zeros,
         std::size_t sign) {
  const auto width = static_cast<std::size_t>(piece.width.value_or(0));
  const std::size_t fill = width > text.size() ? width - text.size() : 0;
  if (piece.minus) {
    out += text;
    out.append(fill, ' ');
  } else if (zeros) {
    out += text.substr(0, sign);
    out.append(fill, '0');
    out += text.substr(sign);
  } else {
    out.append(fill, ' ');
    out += text;
  }
}

// The low bytes of a number, little-endian: %1b, %2b, %4b, %8b.
void append_binary(std::string& out, const FormatPiece& piece, std::int64_t value) {
  const int bytes = std::min(piece.width.value_or(8), 8);
  for (int i = 0; i < bytes; ++i) {
    out += static_cast<char>(static_cast<std::uint64_t>(value) >> (8 * i));
  }
}

// %#c: what cannot be printed, as in C.
std::string escaped(char c) {
  constexpr std::string_view kEscapes = "\a\b\t\n\v\f\r", kLetters = "abtnvfr";
  if (const std::size_t at = kEscapes.find(c); at != std::string_view::npos) {
    return {'\\', kLetters[at]};
  }
  const auto code = static_cast<unsigned>(static_cast<std::uint8_t>(c));
  constexpr unsigned kFirst = 0x20, kDelete = 0x7f;
  if (code >= kFirst && code < kDelete) return std::string(1, c);
  return fmt::format("\\{:03o}", code);
}

}  // namespace

std::vector<FormatPiece> parse_format(std::string_view text, std::string& error,
                                      std::string* hint) {
  std::vector<FormatPiece> pieces;
  const auto literal = [&](std::string_view what) {
    if (pieces.empty() || pieces.back().conversion != '\0') pieces.emplace_back();
    pieces.back().literal += what;
  };
  for (std::size_t at = 0; at < text.size();) {
    if (text[at] != '%') {
      const std::size_t end = std::min(text.find('%', at), text.size());
      literal(text.substr(at, end - at));
      at = end;
      continue;
    }
    if (text.substr(at, 2) == "%%") {
      literal("%");
      at += 2;
      continue;
    }
    FormatPiece piece;
    const std::size_t begin = at++;
    while (at < text.size() && is_flag(text[at], piece)) ++at;
    number(text, at, piece.width, piece.width_is_argument);
    if (at < text.size() && text[at] == '.') {
      ++at;
      piece.precision = 0;
      number(text, at, piece.precision, piece.precision_is_argument);
    }
    if (at < text.size() && text[at] == 'l') ++at;
    constexpr std::string_view kConversions = "bcdiuoxXpsmM";
    if (at >= text.size() || kConversions.find(text[at]) == std::string_view::npos) {
      if (at >= text.size()) {
        error = "trailing incomplete print format conversion";
        return {};
      }
      error = "invalid or missing conversion specifier";
      const std::string_view wrong = text.substr(begin, at + 1 - begin);
      if (hint != nullptr) *hint = fmt::format("there is no conversion '{}'", wrong);
      return {};
    }
    piece.conversion = text[at++];
    pieces.push_back(std::move(piece));
  }
  return pieces;
}

void append_number(std::string& out, const FormatPiece& piece, std::int64_t value) {
  const auto bits = static_cast<std::uint64_t>(value);
  if (piece.conversion == 'b') return append_binary(out, piece, value);
  if (piece.conversion == 'c') {
    const std::string text(1, static_cast<char>(value));
    return pad(out, piece, piece.alternate ? escaped(text[0]) : text, false, 0);
  }
  std::string sign, digits;
  switch (piece.conversion) {
    case 'd':
    case 'i':
      digits = std::to_string(value < 0 ? 0 - bits : bits);
      sign = value < 0 ? "-" : piece.plus ? "+" : piece.space ? " " : "";
      break;
    case 'o':
      digits = (piece.alternate && value != 0 ? "0" : "") + fmt::format("{:o}", bits);
      break;
    case 'x':
      digits = fmt::format("{:x}", bits);
      sign = piece.alternate && value != 0 ? "0x" : "";
      break;
    case 'X':
      digits = fmt::format("{:X}", bits);
      sign = piece.alternate && value != 0 ? "0X" : "";
      break;
    case 'p':
      digits = fmt::format("{:x}", bits);
      sign = "0x";
      break;
    default:
      digits = std::to_string(bits);
      break;
  }
  // An address has all its digits, where nothing says how wide it is.
  constexpr int kAddressDigits = 16;
  const bool is_whole = piece.conversion == 'p' && !piece.width && !piece.width_is_argument;
  const int least = is_whole ? kAddressDigits : 0;
  const auto precision = static_cast<std::size_t>(std::max(piece.precision.value_or(least), 0));
  if (digits.size() < precision) digits.insert(0, precision - digits.size(), '0');
  pad(out, piece, sign + digits, piece.zero && !piece.precision, sign.size());
}

void append_text(std::string& out, const FormatPiece& piece, std::string_view text) {
  if (piece.precision && *piece.precision >= 0) {
    text = text.substr(0, static_cast<std::size_t>(*piece.precision));
  }
  pad(out, piece, text, false, 0);
}

void append_memory(std::string& out, const FormatPiece& piece, std::string_view bytes) {
  if (piece.conversion == 'm') return pad(out, piece, bytes, false, 0);
  std::string digits;
  for (const char one : bytes) {
    digits += fmt::format("{:02x}", static_cast<unsigned>(static_cast<std::uint8_t>(one)));
  }
  pad(out, piece, digits, false, 0);
}

}  // namespace dt::stap

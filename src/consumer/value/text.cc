// Numbers, padding, escapes and the hex dump.

#include "consumer/value/text.h"

#include <algorithm>
#include <charconv>
#include <cstring>

#include "support/columns.h"

namespace dt::consumer {
namespace {

template <typename T>
void append_digits(std::string& out, T value, std::size_t width) {
  char digits[24];
  const auto end = std::to_chars(digits, digits + sizeof digits, value).ptr;
  const auto length = static_cast<std::size_t>(end - digits);
  if (length < width) {
    out.append(width - length, ' ');
  }
  out.append(digits, length);
}

bool is_printable(unsigned char c) { return c >= 0x20 && c < 0x7f; }

// isprint, isspace, backspace or bell.
bool is_texty(unsigned char c) { return is_printable(c) || (c >= '\a' && c <= '\r'); }

}  // namespace

void append_signed(std::string& out, std::int64_t value, std::size_t width) {
  append_digits(out, value, width);
}

void append_unsigned(std::string& out, std::uint64_t value, std::size_t width) {
  append_digits(out, value, width);
}

void append_padded(std::string& out, std::string_view text, std::size_t width, bool left) {
  const std::size_t pad = text.size() < width ? width - text.size() : 0;
  if (!left) {
    out.append(pad, ' ');
  }
  out.append(text);
  if (left) {
    out.append(pad, ' ');
  }
}

void append_for_terminal(std::string& out, std::string_view text) {
  support::append_text(out, text);
}

void append_c_escaped(std::string& out, std::string_view text) {
  constexpr std::string_view kSpecial = "\a\b\f\n\r\t\v\\\"";
  constexpr std::string_view kLetter = "abfnrtv\\\"";
  for (const char character : text) {
    const auto c = static_cast<unsigned char>(character);
    const std::size_t special = c == 0 ? std::string_view::npos : kSpecial.find(character);
    if (special != std::string_view::npos) {
      out += '\\';
      out += kLetter[special];
    } else if (is_printable(c)) {
      out += character;
    } else if (c == 0) {
      out += "\\0";
    } else {
      support::append_octal(out, c);
    }
  }
}

// Escapes are columns of their own, and so is each byte that is no UTF-8.
void cut_line(std::string& text, std::size_t columns) {
  const std::size_t last_newline = text.rfind('\n');
  std::size_t used = 0;
  std::size_t at = last_newline == text.npos ? 0 : last_newline + 1;
  while (columns != 0 && at < text.size()) {
    std::uint32_t character = 0;
    const std::size_t length = utf8_length(std::string_view(text).substr(at), &character);
    used += length == 0 ? 1 : support::columns_of(character);
    if (used > columns) {
      text.resize(at);
      return;
    }
    at += std::max<std::size_t>(length, 1);
  }
}

void append_hex_dump(std::string& out, Bytes bytes) {
  constexpr std::string_view kHex = "0123456789abcdef";
  constexpr std::size_t kMargin = 5;
  constexpr std::size_t kRow = 16;
  out += '\n';
  out.append(kMargin + 6, ' ');
  for (const char digit : kHex) {
    out += "  ";
    out += digit;
  }
  out += "  0123456789abcdef\n";
  for (std::size_t row = 0; row < bytes.size(); row += kRow) {
    char offset[20];
    const auto end = std::to_chars(offset, offset + sizeof offset, row, 16).ptr;
    out.append(kMargin, ' ');
    append_padded(out, std::string_view(offset, static_cast<std::size_t>(end - offset)), 5, false);
    out += ':';
    const Bytes part = bytes.subspan(row, std::min(kRow, bytes.size() - row));
    for (const std::uint8_t byte : part) {
      out += ' ';
      out += kHex[byte >> 4];
      out += kHex[byte & 15];
    }
    out.append((kRow - part.size()) * 3 + 2, ' ');
    for (const std::uint8_t byte : part) {
      out += is_printable(byte) ? static_cast<char>(byte) : '.';
    }
    out += '\n';
  }
}

Look look_of(Bytes bytes) {
  for (std::size_t i = 0; i < bytes.size(); ++i) {
    if (is_texty(bytes[i])) {
      continue;
    }
    if (bytes[i] != 0 || i == 0) {
      return Look::kBinary;
    }
    for (std::size_t j = i + 1; j < bytes.size(); ++j) {
      if (bytes[j] != 0) {
        return Look::kBinary;
      }
    }
    return Look::kTerminated;
  }
  return bytes.empty() ? Look::kTerminated : Look::kUnterminated;
}

std::string_view c_string(Bytes bytes) {
  const auto* text = reinterpret_cast<const char*>(bytes.data());
  const void* nul = bytes.empty() ? nullptr : std::memchr(text, 0, bytes.size());
  const auto length = nul == nullptr
                          ? bytes.size()
                          : static_cast<std::size_t>(static_cast<const char*>(nul) - text);
  return {text, length};
}

}  // namespace dt::consumer

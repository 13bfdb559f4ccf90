// See shown.h.

#include "support/shown.h"

#include <algorithm>

namespace dt::support {
namespace {

bool is_continuation(char c) { return (static_cast<unsigned char>(c) & 0xc0) == 0x80; }

bool is_printable(char c) { return c >= ' ' && c < 0x7f; }

void append_escaped(std::string& out, std::string_view text, bool is_text) {
  for (std::size_t i = 0; i < text.size();) {
    const auto c = static_cast<unsigned char>(text[i]);
    if (is_printable(text[i]) || (is_text && (c == '\n' || c == '\t'))) {
      out += text[i++];
      continue;
    }
    std::uint32_t code = 0;
    const std::size_t length = c < 0x80 ? 0 : utf8_length(text.substr(i), &code);
    if (length != 0 && !is_control(code)) {
      out.append(text, i, length);
      i += length;
      continue;
    }
    for (const std::size_t end = i + std::max<std::size_t>(length, 1); i < end; ++i) {
      append_octal(out, static_cast<unsigned char>(text[i]));
    }
  }
}

}  // namespace

std::size_t utf8_length(std::string_view text, std::uint32_t* decoded) {
  const auto lead = static_cast<unsigned char>(text[0]);
  std::size_t length = 0;
  std::uint32_t code = 0;
  if (lead >= 0xc2 && lead <= 0xdf) {
    length = 2;
    code = lead & 0x1fU;
  } else if (lead >= 0xe0 && lead <= 0xef) {
    length = 3;
    code = lead & 0x0fU;
  } else if (lead >= 0xf0 && lead <= 0xf4) {
    length = 4;
    code = lead & 0x07U;
  } else {
    return 0;
  }
  if (text.size() < length) {
    return 0;
  }
  for (std::size_t i = 1; i < length; ++i) {
    if (!is_continuation(text[i])) {
      return 0;
    }
    code = (code << 6) | (static_cast<unsigned char>(text[i]) & 0x3fU);
  }
  const bool overlong = (length == 3 && code < 0x800) || (length == 4 && code < 0x10000);
  const bool surrogate = code >= 0xd800 && code <= 0xdfff;
  if (overlong || surrogate || code > 0x10ffff) {
    return 0;
  }
  if (decoded != nullptr) {
    *decoded = code;
  }
  return length;
}

bool is_plain(std::string_view text) { return std::all_of(text.begin(), text.end(), is_printable); }

// U+FFFE and U+FFFF are no characters: XML 1.0 has no way to write them.
bool is_control(std::uint32_t code) {
  return code < 0x20 || (code >= 0x7f && code < 0xa0) || code == 0x61c || code == 0x200e ||
         code == 0x200f || code == 0x2028 || code == 0x2029 || (code >= 0x202a && code <= 0x202e) ||
         (code >= 0x2066 && code <= 0x2069) || code == 0xfffe || code == 0xffff;
}

void append_octal(std::string& out, unsigned char c) {
  out += '\\';
  out += static_cast<char>('0' + (c >> 6));
  out += static_cast<char>('0' + ((c >> 3) & 7));
  out += static_cast<char>('0' + (c & 7));
}

void append_text(std::string& out, std::string_view text) { append_escaped(out, text, true); }

void append_name(std::string& out, std::string_view name) {
  if (is_plain(name)) {
    out += name;  // by the million
  } else {
    append_escaped(out, name, false);
  }
}

std::string shown_text(std::string_view text) {
  std::string out;
  append_text(out, text);
  return out;
}

std::string shown_name(std::string_view name) {
  std::string out;
  append_name(out, name);
  return out;
}

}  // namespace dt::support

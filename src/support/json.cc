// JSON text.
//
// JSON is UTF-8 (RFC 8259, 8.1). Strings of traced programs are bytes: what is no UTF-8 is replaced
// by U+FFFD, so that every line can be parsed. Control characters, quotes and backslashes are
// escaped; nothing else needs to be.

#include "support/json.h"

#include <fmt/core.h>

#include <charconv>
#include <cmath>

#include "support/shown.h"

namespace dt::support {
namespace {

// Numbers are written by the million.
template <typename T>
void append_number(std::string& out, T value) {
  char digits[24];
  out.append(digits, std::to_chars(digits, digits + sizeof digits, value).ptr);
}

}  // namespace

void Json::separate() {
  if (after_key_) {
    after_key_ = false;
    return;
  }
  if (!filled_.empty()) {
    if (filled_.back()) {
      out_ += ',';
    }
    filled_.back() = true;
  }
}

Json& Json::begin_object() {
  separate();
  out_ += '{';
  filled_.push_back(false);
  return *this;
}

Json& Json::end_object() {
  out_ += '}';
  filled_.pop_back();
  return *this;
}

Json& Json::begin_array() {
  separate();
  out_ += '[';
  filled_.push_back(false);
  return *this;
}

Json& Json::end_array() {
  out_ += ']';
  filled_.pop_back();
  return *this;
}

Json& Json::key(std::string_view name) {
  string(name);
  out_ += ':';
  after_key_ = true;
  return *this;
}

Json& Json::string(std::string_view text) {
  separate();
  out_ += '"';
  for (std::size_t i = 0; i < text.size();) {
    const auto c = static_cast<unsigned char>(text[i]);
    if (c == '"' || c == '\\') {
      out_ += '\\';
      out_ += text[i++];
    } else if (c == '\n') {
      out_ += "\\n";
      ++i;
    } else if (c == '\t') {
      out_ += "\\t";
      ++i;
    } else if (c < 0x20 || c == 0x7f) {
      out_ += fmt::format("\\u{:04x}", c);
      ++i;
    } else if (c < 0x80) {
      out_ += text[i++];
    } else if (std::uint32_t code = 0;
               const std::size_t length = utf8_length(text.substr(i), &code)) {
      if (is_control(code)) {  // all of them have four digits
        out_ += fmt::format("\\u{:04x}", code);
        i += length;
        continue;
      }
      out_.append(text, i, length);
      i += length;
    } else {
      out_ += "\\ufffd";
      ++i;
    }
  }
  out_ += '"';
  return *this;
}

Json& Json::number(std::int64_t value) {
  separate();
  append_number(out_, value);
  return *this;
}

Json& Json::number(std::uint64_t value) {
  separate();
  append_number(out_, value);
  return *this;
}

Json& Json::raw_number(std::string_view digits) {
  separate();
  out_ += digits;
  return *this;
}

Json& Json::real(long double value) {
  if (!std::isfinite(value)) {
    return null();
  }
  separate();
  const auto plain = static_cast<double>(value);
  out_ += std::isfinite(plain) ? fmt::format("{}", plain) : fmt::format("{}", value);
  return *this;
}

Json& Json::boolean(bool value) {
  separate();
  out_ += value ? "true" : "false";
  return *this;
}

Json& Json::null() {
  separate();
  out_ += "null";
  return *this;
}

bool is_utf8(std::string_view text) {
  for (std::size_t i = 0; i < text.size();) {
    const auto c = static_cast<unsigned char>(text[i]);
    const std::size_t length = c < 0x80 ? 1 : utf8_length(text.substr(i));
    if (length == 0) {
      return false;
    }
    i += length;
  }
  return true;
}

}  // namespace dt::support

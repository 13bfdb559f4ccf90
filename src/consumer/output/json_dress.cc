#include "consumer/output/json_dress.h"

#include <fmt/core.h>

#include <algorithm>
#include <charconv>
#include <utility>

namespace dt::consumer {
namespace {

constexpr std::size_t kIndent = 2;

// What a terminal or an editor might obey, and XML has no place for: as names are shown.
void append_octal(std::string& out, unsigned byte) { out += fmt::format("\\{:03o}", byte); }

void append_xml_character(std::string& out, char c) {
  const auto byte = static_cast<unsigned char>(c);
  switch (c) {
    case '&':
      out += "&amp;";
      return;
    case '<':
      out += "&lt;";
      return;
    case '>':
      out += "&gt;";
      return;
    default:
      if ((byte < 0x20 && c != '\n' && c != '\t') || byte == 0x7f) {
        append_octal(out, byte);
      } else {
        out += c;
      }
  }
}

// The four digits of \uXXXX. The writer (json.cc) escapes in this way what controls terminals,
// which must not become a character again. No such character needs two of these escapes.
void append_code(std::string& out, std::string_view digits) {
  std::uint32_t code = 0;
  std::from_chars(digits.data(), digits.data() + digits.size(), code, 16);
  if (code == 0xfffd) {  // in place of what was no UTF-8
    out += "\xef\xbf\xbd";
    return;
  }
  if (code < 0x80) {
    return append_octal(out, code);
  }
  if (code < 0x800) {
    append_octal(out, 0xc0 | code >> 6);
  } else {
    append_octal(out, 0xe0 | code >> 12);
    append_octal(out, 0x80 | (code >> 6 & 0x3f));
  }
  append_octal(out, 0x80 | (code & 0x3f));
}

// A string of JSON, without its quotes, as text of XML.
void append_xml_text(std::string& out, std::string_view text) {
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] != '\\' || i + 1 == text.size()) {
      append_xml_character(out, text[i]);
      continue;
    }
    const char escape = text[++i];
    constexpr std::string_view kEscapes = "bfnrt", kMeans = "\b\f\n\r\t";
    if (escape == 'u' && i + 4 < text.size()) {
      append_code(out, text.substr(i + 1, 4));
      i += 4;
    } else if (const std::size_t at = kEscapes.find(escape); at != std::string_view::npos) {
      append_xml_character(out, kMeans[at]);
    } else {
      append_xml_character(out, escape);
    }
  }
}

}  // namespace

void JsonDress::append(std::string& out, std::string_view json) {
  if (is_plain()) {
    out += json;
    return;
  }
  for (const char c : json) {
    if (in_string_) {
      within_string(out, c);
    } else {
      character(out, c);
    }
  }
}

void JsonDress::within_string(std::string& out, char c) {
  if (is_escaped_ || c != '"') {
    is_escaped_ = !is_escaped_ && c == '\\';
    token_ += c;
    return;
  }
  in_string_ = false;
  const std::string text = std::exchange(token_, {});
  if (!levels_.empty() && !levels_.back().is_array && !has_key_) {
    key_ = text;
    has_key_ = true;
  } else {
    value(out, text, true);
  }
}

void JsonDress::character(std::string& out, char c) {
  switch (c) {
    case '"':
      in_string_ = true;
      return;
    case '{':
    case '[':
      return open(out, c == '[');
    case '}':
    case ']':
      end_number(out);
      return close(out, c == ']');
    case ',':
      return end_number(out);
    case ':':
    case ' ':
    case '\n':
      return;
    default:
      token_ += c;
  }
}

void JsonDress::end_number(std::string& out) {
  if (!token_.empty()) {
    value(out, std::exchange(token_, {}), false);
  }
}

std::string JsonDress::name_of_value() const {
  return levels_.empty() ? "" : levels_.back().is_array ? levels_.back().name : key_;
}

// In XML, the document and arrays are no elements, and indent nothing.
void JsonDress::line(std::string& out) {
  if (!is_indented()) {
    return;
  }
  auto depth = levels_.size();
  if (is_xml()) {
    depth = static_cast<std::size_t>(
        std::count_if(levels_.begin(), levels_.end(),
                      [](const Level& level) { return !level.is_array && !level.name.empty(); }));
  }
  if (std::exchange(has_begun_, true)) {
    out += '\n';
  }
  out.append(kIndent * depth, ' ');
}

// What stands before any value of JSON: a comma, a line, the name.
void JsonDress::begin_value(std::string& out) {
  if (levels_.empty()) {
    return;
  }
  if (levels_.back().is_filled) {
    out += ',';
  }
  line(out);
  if (!levels_.back().is_array) {
    out += fmt::format("\"{}\": ", key_);
  }
}

void JsonDress::value(std::string& out, std::string_view text, bool is_string) {
  if (is_xml()) {
    const std::string name = name_of_value();
    line(out);
    out += fmt::format("<{}>", name);
    append_xml_text(out, text);
    out += fmt::format("</{}>", name);
  } else {
    begin_value(out);
    out += is_string ? fmt::format("\"{}\"", text) : std::string(text);
  }
  if (!levels_.empty()) {
    levels_.back().is_filled = true;
  }
  has_key_ = false;
}

void JsonDress::open(std::string& out, bool is_array) {
  const std::string name = name_of_value();
  if (!is_xml()) {
    begin_value(out);
    out += is_array ? '[' : '{';
    has_begun_ = true;
  } else if (!is_array && !name.empty()) {
    line(out);
    out += fmt::format("<{}>", name);
  }
  if (!levels_.empty()) {
    levels_.back().is_filled = true;
  }
  has_key_ = false;
  levels_.push_back({is_array, name, false});
}

void JsonDress::close(std::string& out, bool is_array) {
  const Level level = std::move(levels_.back());
  const std::string& element = level.name;
  levels_.pop_back();
  if (!is_xml()) {
    if (level.is_filled) {
      line(out);
    }
    out += is_array ? ']' : '}';
  } else if (!is_array && !element.empty()) {
    if (level.is_filled) {
      line(out);
    }
    out += fmt::format("</{}>", element);
  }
  if (levels_.empty()) {
    out += '\n';
  }
}

}  // namespace dt::consumer

// Numbers, character constants, strings, and macro variables, which become one
// of these.
//
// An integer constant has the first type of a list that can hold it, which depends on its suffix
// and on whether it is decimal (C11 6.4.4.1): 0xffffffff is an unsigned int, and 4294967295 a long.

#include <fmt/core.h>

#include <algorithm>

#include "d/syntax/lexer.h"

namespace dt::d {
namespace {

constexpr std::size_t kMaxCharBytes = 8;  // 'abcdefgh' fills the widest integer

// u, l, ll, lu, ul, llu, ull in any case; false when `text` is none of them.
bool parse_suffix(std::string_view text, Token& out) {
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if ((c == 'u' || c == 'U') && !out.is_unsigned) {
      out.is_unsigned = true;
    } else if ((c == 'l' || c == 'L') && out.longs == 0) {
      const bool two = i + 1 < text.size() && (text[i + 1] == 'l' || text[i + 1] == 'L');
      out.longs = two ? 2 : 1;
      i += two ? 1 : 0;
    } else {
      return false;
    }
  }
  return true;
}

bool is_suffix_letter(char c) { return c == 'u' || c == 'U' || c == 'l' || c == 'L'; }

// The digits of a constant, without the letters behind them.
std::string_view without_suffix(std::string_view text) {
  while (!text.empty() && is_suffix_letter(text.back())) text.remove_suffix(1);
  return text;
}

int hex_value(char c) {
  if (is_digit(c)) {
    return c - '0';
  }
  const char lower = static_cast<char>(c | 0x20);
  return lower >= 'a' && lower <= 'f' ? lower - 'a' + 10 : -1;
}

}  // namespace

Token Lexer::lex_number() {
  std::size_t digits = pos_;
  while (is_digit(at(digits))) {
    ++digits;
  }
  const char exponent = at(digits);
  const char sign = at(digits + 1);
  const bool dot = exponent == '.' && at(digits + 1) != '.';
  const bool e = (exponent == 'e' || exponent == 'E') &&
                 (is_digit(sign) || ((sign == '+' || sign == '-') && is_digit(at(digits + 2))));
  if (dot || e) {
    return lex_float(digits);
  }
  std::size_t end = digits;
  while (is_name(at(end))) {
    ++end;
  }
  Token out = token(Tok::kInt, end);
  const std::string_view number = without_suffix(out.text);
  const std::size_t split = number.size();
  const IntegerText parsed = parse_integer(number);
  if (parsed.status == IntegerText::Status::kOverflow) {
    error("D_INT_OFLOW", out.span,
          fmt::format("integer constant {} does not fit in 64 bits", out.text));
  } else if (parsed.status == IntegerText::Status::kBadDigit ||
             !parse_suffix(out.text.substr(split), out)) {
    const bool digit = parsed.status == IntegerText::Status::kBadDigit;
    const std::size_t where = digit ? parsed.bad : split;
    error("D_INT_DIGIT", span(out.span.begin + where, digit ? out.span.begin + where + 1 : end),
          digit ? fmt::format("invalid digit '{}' in integer constant {}", number.substr(where, 1),
                              out.text)
                : fmt::format("invalid suffix \"{}\" of integer constant {}",
                              out.text.substr(split), out.text));
  }
  out.value = parsed.status == IntegerText::Status::kOk ? parsed.value : 0;
  return out;
}

// `end` is behind the digits before the point or exponent.
Token Lexer::lex_float(std::size_t end) {
  if (at(end) == '.') {
    ++end;
    while (is_digit(at(end))) {
      ++end;
    }
  }
  const std::size_t sign = at(end + 1) == '+' || at(end + 1) == '-' ? 1 : 0;
  if ((at(end) == 'e' || at(end) == 'E') && is_digit(at(end + 1 + sign))) {
    end += 1 + sign;
    while (is_digit(at(end))) {
      ++end;
    }
  }
  while (at(end) == 'f' || at(end) == 'F' || at(end) == 'l' || at(end) == 'L') {
    ++end;
  }
  return token(Tok::kFloat, end);
}

// Resolves the escape whose backslash is at `at`; returns the place after it.
std::size_t Lexer::escape(std::size_t at, std::string& out) const {
  const char c = this->at(at + 1);
  constexpr std::string_view kFrom = "abfnrtv";
  constexpr std::string_view kTo = "\a\b\f\n\r\t\v";
  if (const std::size_t i = kFrom.find(c); c != '\0' && i != std::string_view::npos) {
    out += kTo[i];
    return at + 2;
  }
  if (c == '\n') {
    return at + 2;  // the line goes on
  }
  if (c == '\r' && this->at(at + 2) == '\n') {
    return at + 3;
  }
  unsigned value = 0;
  std::size_t i = at + 1;
  if (c >= '0' && c <= '7') {
    for (; i < at + 4 && this->at(i) >= '0' && this->at(i) <= '7'; ++i) {
      value = value * 8 + static_cast<unsigned>(this->at(i) - '0');
    }
  } else if (c == 'x' && hex_value(this->at(at + 2)) >= 0) {
    for (i = at + 2; hex_value(this->at(i)) >= 0; ++i) {
      value = value * 16 + static_cast<unsigned>(hex_value(this->at(i)));
    }
  } else {
    out += c;  // \" \' \\ \? and, as in C compilers, any other
    return at + 2;
  }
  out += static_cast<char>(value & 0xff);
  return i;
}

// Reads from the opening quote at pos_; false when the line or the text ends
// first. pos_ is then at that end.
bool Lexer::lex_quoted(char quote, std::string& out) {
  ++pos_;
  for (;;) {
    const char c = at(pos_);
    if (pos_ >= text_.size() || c == '\n') {
      return false;
    }
    if (c == quote) {
      ++pos_;
      return true;
    }
    if (c == '\\' && pos_ + 1 < text_.size()) {
      pos_ = escape(pos_, out);
    } else {
      out += c;
      ++pos_;
    }
  }
}

Token Lexer::lex_string() {
  const std::size_t begin = pos_;
  const std::size_t plain = text_.find_first_of("\"\\\n", begin + 1);
  if (plain != std::string_view::npos && text_[plain] == '"') {  // nothing to resolve
    Token out = token(Tok::kString, plain + 1);
    out.text = out.text.substr(1, out.text.size() - 2);
    return out;
  }
  std::string value;
  const bool closed = lex_quoted('"', value);
  const std::size_t end = pos_;
  if (!closed) {
    error("D_STR_NL", span(begin, begin + 1), "this string is not closed on its line").hint =
        "write \\n for a newline";
  }
  pos_ = begin;
  Token out = token(Tok::kString, end);
  value.resize(std::min(value.size(), value.find('\0')));  // a string ends at its first NUL
  out.text = keep(std::move(value));
  return out;
}

// 'a', '\n', 'abcd': the first character is the most significant byte.
Token Lexer::lex_char() {
  const std::size_t begin = pos_;
  std::string bytes;
  const bool closed = lex_quoted('\'', bytes);
  const std::size_t end = pos_;
  if (!closed) {
    error("D_CHR_NL", span(begin, begin + 1), "this character constant is not closed on its line");
  } else if (bytes.empty()) {
    error("D_CHR_NULL", span(begin, end), "this character constant is empty");
  } else if (bytes.size() > kMaxCharBytes) {
    error("D_CHR_OFLOW", span(begin, end),
          fmt::format("this character constant has {} characters; at most {} fit", bytes.size(),
                      kMaxCharBytes));
  }
  pos_ = begin;
  Token out = token(Tok::kInt, end);
  out.is_char = true;
  if (bytes.size() == 1) {
    out.value = static_cast<std::uint64_t>(std::int64_t{static_cast<signed char>(bytes[0])});
    return out;
  }
  for (std::size_t i = 0; i < bytes.size() && i < kMaxCharBytes; ++i) {
    out.value = out.value << 8 | static_cast<unsigned char>(bytes[i]);
  }
  return out;
}

// $1, $target: a number or a name, and what is neither is a string, with or
// without quotes of its own; $$1, $$target: always a string.
Token Lexer::lex_macro() {
  const std::size_t begin = pos_ + (at(pos_ + 1) == '$' ? 2 : 1);
  std::size_t end = begin;
  if (is_digit(at(begin))) {
    while (is_digit(at(end))) {
      ++end;
    }
  } else {
    while (is_name(at(end))) {
      ++end;
    }
  }
  const bool as_string = begin == pos_ + 2;
  Token out = token(end == begin ? Tok::kUnknown : Tok::kInt, end);
  if (end == begin) {
    return out;
  }
  const std::string_view name = text_.substr(begin, end - begin);
  std::optional<Macros::Value> value = macros_.find_in_expression(name);
  if (!value) {
    undefined_macro(name, out.span);
    value = Macros::Value{"", true};
  }
  if (as_string || value->is_string) {
    out.kind = Tok::kString;
    out.text = keep(std::move(value->text));
    return out;
  }
  return value->missing ? out : macro_token(out, value->text);
}

// Said once of each: a script may use it in every clause.
void Lexer::undefined_macro(std::string_view name, Span where) {
  if (undefined_macros_.emplace(name).second) {
    error("D_MACRO_UNDEF", where, Macros::undefined_text(name)).hint = Macros::undefined_hint(name);
  }
}

Token Lexer::macro_token(Token token, const std::string& text) {
  const bool sign = !text.empty() && (text[0] == '-' || text[0] == '+');
  const std::string_view digits = std::string_view(text).substr(sign ? 1 : 0);
  const std::string_view number = without_suffix(digits);
  if (!digits.empty() && is_digit(digits[0]) && parse_suffix(digits.substr(number.size()), token)) {
    const IntegerText parsed = parse_integer(number);
    if (parsed.status == IntegerText::Status::kOverflow) {
      error("D_MACRO_OFLOW", token.span,
            fmt::format("the value of {}, {}, does not fit in 64 bits", token.text, text));
    }
    if (parsed.status != IntegerText::Status::kBadDigit) {
      token.value = parsed.value;
      token.negative = text[0] == '-';
      if (number[0] == '0') token.text = keep(std::string(digits));  // for its type
      return token;
    }
  }
  bool name = !text.empty() && is_name_start(text[0]);
  for (const char c : text) {
    name = name && is_name(c);
  }
  token.kind = name ? keyword(text) : Tok::kString;
  const bool quoted = text.size() > 1 && text.front() == '"' && text.back() == '"';
  token.text = keep(quoted ? text.substr(1, text.size() - 2) : text);
  return token;
}

}  // namespace dt::d

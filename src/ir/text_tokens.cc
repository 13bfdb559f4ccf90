// The tokens of the IR's text form.

#include "ir/text_tokens.h"

#include <algorithm>
#include <charconv>

namespace dt::ir {

namespace {

bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }

// 0-15, or -1.
int hex_value(char c) {
  if (is_digit(c)) return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  return -1;
}

}  // namespace

TextTokens::TextTokens(std::string_view text) : text_(text) { advance(); }

std::string_view TextTokens::shown() const { return at_end() ? "end of text" : token_; }

void TextTokens::skip_blanks() {
  while (at_ < text_.size()) {
    const char c = text_[at_];
    if (c == ';') {
      at_ = std::min(text_.find('\n', at_), text_.size());
    } else if (c == ' ' || c == '\t' || c == '\n') {
      if (c == '\n') ++next_line_;
      ++at_;
    } else {
      return;
    }
  }
}

void TextTokens::advance() {
  skip_blanks();
  line_ = next_line_;
  const std::size_t start = at_;
  if (start == text_.size()) {
    kind_ = Kind::kEnd;
    token_ = {};
    return;
  }
  const char c = text_[at_++];
  if (is_letter(c)) {
    kind_ = Kind::kWord;
    while (at_ < text_.size() && (is_letter(text_[at_]) || is_digit(text_[at_]))) ++at_;
  } else if (is_digit(c) || c == '-') {
    const char* end = text_.data() + text_.size();
    const auto [stop, failure] = std::from_chars(text_.data() + start, end, number_);
    kind_ = failure == std::errc() ? Kind::kNumber : Kind::kBad;
    if (stop != text_.data() + start) at_ = static_cast<std::size_t>(stop - text_.data());
  } else if (c == '"') {
    read_string();
  } else {
    kind_ = Kind::kChar;
  }
  token_ = text_.substr(start, at_ - start);
}

void TextTokens::read_string() {
  kind_ = Kind::kBad;  // until its end is seen
  string_.clear();
  while (at_ < text_.size() && text_[at_] != '\n') {
    const char c = text_[at_++];
    if (c == '"') {
      kind_ = Kind::kString;
      return;
    }
    if (c != '\\') {
      string_ += c;
      continue;
    }
    if (at_ == text_.size()) return;
    const char escaped = text_[at_++];
    if (escaped == 'n') {
      string_ += '\n';
    } else if (escaped == 'x' && at_ + 2 <= text_.size()) {
      const int high = hex_value(text_[at_]);
      const int low = hex_value(text_[at_ + 1]);
      if (high < 0 || low < 0) return;
      string_ += static_cast<char>(high * 16 + low);
      at_ += 2;
    } else {
      string_ += escaped;
    }
  }
}

bool TextTokens::take(char c) {
  if (!is(c)) return false;
  advance();
  return true;
}

bool TextTokens::take_word(std::string_view wanted) {
  if (word() != wanted) return false;
  advance();
  return true;
}

bool TextTokens::number(std::int64_t& out) const {
  out = number_;
  return kind_ == Kind::kNumber;
}

bool TextTokens::take_string(std::string& out) {
  if (kind_ != Kind::kString) return false;
  out = string_;
  advance();
  return true;
}

}  // namespace dt::ir

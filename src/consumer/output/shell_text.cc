// Follows the quoting of POSIX sh, as far as it says what a character within means.

#include "consumer/output/shell_text.h"

#include <fmt/core.h>

#include <algorithm>

namespace dt::consumer {
namespace {

bool is_harmless(char c) {
  constexpr std::string_view kOthers = "_./:@%+=,-";
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
         kOthers.find(c) != std::string_view::npos;
}

bool begins_word(char before) {
  return before == 0 || std::string_view(" \t\n;&|()").find(before) != std::string_view::npos;
}

}  // namespace

void ShellText::add_script(std::string_view text) {
  for (const char c : text) {
    step(c);
  }
  text_ += text;
}

void ShellText::step(char c) {
  if (is_quoted_) {
    is_quoted_ = false;
    last_ = '\\';
    return;
  }
  switch (places_.back()) {
    case Place::kWords:
    case Place::kExpression:
      in_words(c);
      break;
    case Place::kSingle:
      if (c == '\'') {
        places_.pop_back();
      }
      break;
    case Place::kDouble:
      in_double(c);
      break;
    case Place::kOpaque:
      break;
  }
  last_ = c;
}

void ShellText::in_words(char c) {
  const bool is_expression = places_.back() == Place::kExpression;
  if (c == '\\') {
    is_quoted_ = true;
  } else if (c == '\'') {
    places_.push_back(Place::kSingle);
  } else if (c == '"') {
    places_.push_back(Place::kDouble);
  } else if (c == '{' && last_ == '$') {
    places_.push_back(Place::kExpression);
  } else if (c == '}' && is_expression) {
    places_.pop_back();
  } else if (c == '(') {
    places_.push_back(Place::kWords);
  } else if (c == ')' && !is_expression && places_.size() > 1) {
    places_.pop_back();
  } else if (c == '`' || (c == '<' && last_ == '<') || (c == '#' && begins_word(last_))) {
    places_.push_back(Place::kOpaque);
  }
}

void ShellText::in_double(char c) {
  if (c == '\\') {
    is_quoted_ = true;
  } else if (c == '"') {
    places_.pop_back();
  } else if (c == '(' && last_ == '$') {
    places_.push_back(Place::kWords);
  } else if (c == '{' && last_ == '$') {
    places_.push_back(Place::kExpression);
  } else if (c == '`') {
    places_.push_back(Place::kOpaque);
  }
}

void ShellText::add_traced(std::string_view text) {
  const Place place = places_.back();
  const bool is_plain = std::all_of(text.begin(), text.end(), is_harmless);
  // Behind a backslash or a dollar the first character would have a meaning of its own.
  const bool is_word = place == Place::kWords && !is_quoted_ && last_ != '$';
  last_ = 'x';
  if (is_plain && !is_quoted_ && !(text.empty() && is_word)) {
    text_ += text;
  } else if (is_word) {
    text_ += '\'';
    for (const char c : text) {
      text_ += c == '\'' ? std::string("'\\''") : std::string(1, c);
    }
    text_ += '\'';
  } else if (place == Place::kSingle) {
    for (const char c : text) {
      text_ += c == '\'' ? std::string("'\\''") : std::string(1, c);
    }
  } else if (place == Place::kDouble && !is_quoted_) {
    for (const char c : text) {
      if (c == '"' || c == '$' || c == '`' || c == '\\') {
        text_ += '\\';
      }
      text_ += c;
    }
  } else {
    refused_ = text;
    text_ += text;
  }
}

Status ShellText::check() const {
  if (refused_.empty()) {
    return {};
  }
  return Error::of(fmt::format("system() does not run '{}': what was traced stands where the shell "
                               "would take it for more than data",
                               text_),
                   "write the conversion as a word of its own, or within quotes");
}

}  // namespace dt::consumer

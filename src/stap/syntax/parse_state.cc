// See parse_state.h.

#include "stap/syntax/parse_state.h"

#include <fmt/core.h>

#include "stap/syntax/foreign_words.h"

namespace dt::stap {

bool ParseState::expect(std::string_view text) {
  return accept(text) || error(fmt::format("expected '{}'", text), peek());
}

bool ParseState::error(std::string_view text, const Token& saw, std::string_view hint) {
  if (failed_) return false;
  failed_ = true;
  if (saw.kind == TokenKind::kBroken) {
    messages_.broken(saw);
    if (&saw == &peek()) take();
  } else {
    messages_.parse_error(text, saw, hint.empty() ? saw.hint : hint);
  }
  return false;
}

bool ParseState::error_at(std::string_view text, const Token& at) {
  if (!failed_) messages_.parse_error(text, at, at.hint, Messages::Names::kAt);
  failed_ = true;
  return false;
}

void ParseState::recover() {
  const auto begins = [](const Token& token) {
    return token.is("probe") || token.is("global") || token.is("function") || token.is("private") ||
           token.kind == TokenKind::kEmbedded;
  };
  while (peek().kind != TokenKind::kEnd && !begins(peek())) {
    const Token& token = take();
    // A number is looked at where one may stand.
    const bool is_number = token.text == kNoNumber;
    if (token.kind == TokenKind::kBroken && !is_number) messages_.broken(token);
  }
  failed_ = false;
  depth_ = 0;
}

std::string ParseState::hint_of_last() const {
  return at_ == 0 || last().text.size() < 2 ? last().hint : hint_of_aggregation(tokens_, at_ - 1);
}

bool ParseState::enter() {
  constexpr std::size_t kMostDepth = 500;
  if (depth_ >= kMostDepth) {
    return error("nested too deeply", peek());
  }
  ++depth_;
  return true;
}

bool ParseState::allows_embedded(const Token& at, std::string_view what) {
  return is_privileged_ || error(fmt::format("{} in unprivileged script; need stap -g", what), at);
}

}  // namespace dt::stap

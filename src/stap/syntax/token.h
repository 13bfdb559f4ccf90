#pragma once
// The tokens of the SystemTap language.

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "support/source.h"

namespace dt::stap {

enum class TokenKind : std::uint8_t {
  kEnd,
  kIdentifier,  // a name, a keyword, $name, $$name, @name
  kNumber,
  kString,
  kOperator,
  kEmbedded,  // %{ ... %}
  kMissing,   // $1 that there is none of: text is what is wrong, if it is used
};

struct Token {
  TokenKind kind = TokenKind::kEnd;
  std::string text;         // of a string: its characters, escapes resolved
  std::int64_t number = 0;  // kNumber
  Span span;

  bool is(std::string_view other) const {
    return (kind == TokenKind::kOperator || kind == TokenKind::kIdentifier) && text == other;
  }
  bool is_name() const { return kind == TokenKind::kIdentifier; }
};

// "identifier 'x'", "keyword at ...": how messages name a token.
std::string describe(const Token& token);
bool is_keyword(std::string_view name);

}  // namespace dt::stap

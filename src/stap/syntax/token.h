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
  kBroken,    // what cannot be read, or $1 that there is none of: text is what is wrong, if the
              // parser comes to it
};

struct Token {
  TokenKind kind = TokenKind::kEnd;
  std::string text;         // of a string: its characters, escapes resolved
  std::int64_t number = 0;  // kNumber
  Span span;
  std::string shown = {};  // kBroken: "junk ''", what stands there; empty: the end
  std::string hint = {};   // of a message about this token; may be empty

  bool is(std::string_view other) const {
    return (kind == TokenKind::kOperator || kind == TokenKind::kIdentifier) && text == other;
  }
  bool is_name() const { return kind == TokenKind::kIdentifier; }
};

// "identifier 'x'", "keyword at ...": how messages name a token.
std::string describe(const Token& token);
bool is_keyword(std::string_view name);
// @count, @cast: words that begin with @ and are no macros.
bool is_at_operator(std::string_view name);
// What is wrong with 08 and 1a. The parser comes to it as to a number.
inline constexpr std::string_view kNoNumber = "number invalid or out of range";

}  // namespace dt::stap

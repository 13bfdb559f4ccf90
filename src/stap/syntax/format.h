#pragma once
// The formats of printf(): parsed when a script is checked, and applied.

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "stap/syntax/tree.h"

namespace dt::stap {

// A literal text, or a conversion.
struct FormatPiece {
  std::string literal;
  char conversion = '\0';  // d i u o x X c s p b m M; '\0': a literal
  bool minus = false, zero = false, plus = false, space = false, alternate = false;
  std::optional<int> width, precision;
  bool width_is_argument = false, precision_is_argument = false;

  // Memory is read by a function that the checker puts there (meaning/memory_bytes.h).
  Type type() const { return conversion == 's' || takes_memory() ? Type::kString : Type::kLong; }
  bool takes_memory() const { return conversion == 'm' || conversion == 'M'; }
};

// `error` names what is wrong; empty: nothing. `hint` names the conversion that there is not.
std::vector<FormatPiece> parse_format(std::string_view text, std::string& error,
                                      std::string* hint = nullptr);

// One conversion.
void append_number(std::string& out, const FormatPiece& piece, std::int64_t value);
void append_text(std::string& out, const FormatPiece& piece, std::string_view text);
// %m: the bytes as they are, %M: in hexadecimal.
void append_memory(std::string& out, const FormatPiece& piece, std::string_view bytes);

}  // namespace dt::stap

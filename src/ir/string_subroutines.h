#pragma once
// What the subroutines of strings compute (subroutines.def): the definition
// that the interpreter uses, and with which generated code is compared.
//
// A string is its bytes up to the NUL. What a call gives is cut to the
// capacity of its type afterwards. A position is an offset in bytes, -1 where
// there is none.

#include <cstdint>
#include <string>
#include <string_view>

namespace dt::ir {

// The first place at or after `from` where `part` begins, and the last one at
// or before it. `from` is taken as the nearest place that exists; the empty
// string is found everywhere, at the end too.
std::int64_t index_of(std::string_view text, std::string_view part, std::int64_t from);
std::int64_t last_index_of(std::string_view text, std::string_view part, std::int64_t from);

// The index of a byte, or -1; a byte of 0 is found at the end of the text.
std::int64_t find_char(std::string_view text, std::int64_t byte);
std::int64_t find_last_char(std::string_view text, std::int64_t byte);

// From `position` on; "" when that is negative or beyond the end.
std::string_view tail(std::string_view text, std::int64_t position);

// `count` bytes from `start`. A negative start counts from the end; if it
// is before the text, the part before the text is left out. A negative count
// leaves out that many at the end. Both are first brought within 2^30 of 0.
std::string_view substring(std::string_view text, std::int64_t start, std::int64_t count);

// ASCII only.
std::string to_lower(std::string_view text);
std::string to_upper(std::string_view text);

// As basename(1) and dirname(1) do.
std::string base_name(std::string_view path);
std::string directory_name(std::string_view path);

// Without what is redundant: of slashes in a row all but the last, "/." before
// a slash, and "/.." before a slash or at the end with the component before it.
std::string clean_path(std::string_view path);

// In base 2 to 36, otherwise "". Only in base 10 is the number signed; base 8
// and 16 have the prefixes of C.
std::string to_text(std::int64_t number, std::int64_t base);
// Blanks and tabs, a sign, in base 16 a 0x, and digits up to the first that is
// none; wraps. 0 unless the base is 2 to 36.
std::int64_t to_number(std::string_view text, std::int64_t base);

// A part of a string: where it starts and, in the high half, how long it is.
constexpr std::int64_t make_span(std::size_t start, std::size_t count) {
  return static_cast<std::int64_t>(count << 32 | start);
}
// "" when the span is negative; cut to what there is.
std::string_view part(std::string_view text, std::int64_t span);

// The element of the JSON text that the selector ("a.b[2].c") names, as a span:
// a string without its quotes, anything else as it stands. -1 when there is
// none, or an error before its end. A selector's names are parted by '.', '['
// and ']'; in an array a name must be the number of an element. The brackets
// within an element of an element are counted and not looked at more closely.
std::int64_t json_span(std::string_view text, std::string_view selector);

// strtok(): the text of one firing and where its next token begins.
struct Tokens {
  bool has_text = false;
  std::string text;
};
void start_tokens(Tokens& tokens, std::string_view text);
// "" when none is left.
std::string next_token(Tokens& tokens, std::string_view delimiters);

}  // namespace dt::ir

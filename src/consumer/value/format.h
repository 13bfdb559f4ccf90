#pragma once
// What the pieces of printf formats (record/printf_format.h) make of single numbers and
// strings.
//
// Size prefixes (h, l, ll, L, w) say nothing about the size here: the record tells the size
// and the sign of every argument. %d honours both; %i, and %d with a prefix, are signed
// whatever the argument is.

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "record/printf_format.h"

namespace dt::consumer {

using Piece = record::FormatPiece;
using Format = std::vector<Piece>;
using record::kMaxWidth;

// Never fails: what is no conversion is text. The compiler has refused bad
// formats already, and what is left must not be able to hurt.
inline Format parse_format(std::string_view format) { return record::parse_format(format).pieces; }

// Puts what `*` gave into a copy of the piece: a negative width means left, a
// negative precision means none.
void set_width(Piece& piece, std::int64_t width);
void set_precision(Piece& piece, std::int64_t precision);

// `size` is 1, 2, 4 or 8; `bits` is sign- or zero-extended from it.
struct Number {
  std::uint64_t bits = 0;
  std::uint32_t size = 8;
  bool is_signed = true;
};

// Conversions of one number: d i u o x X p C Y T P, and as %d for any other.
void append_number(std::string& out, const Piece& piece, const Number& number);
// e E f g G.
void append_float(std::string& out, const Piece& piece, long double value);
bool is_float_conversion(char conversion);
bool is_integer_conversion(char conversion);  // d i u o x X
// %s with width and precision.
void append_text(std::string& out, const Piece& piece, std::string_view text);

// "2022 Nov 24 18:46:53" and "Sun, 25 Jan 2004 13:00:00 PST", local time.
std::string date_text(std::int64_t wall_ns);
// By a pattern of strftime(3), which may also have %N, the ns, and %3N, %6N, %9N, so many digits
// of them.
std::string time_text(std::int64_t wall_ns, std::string_view pattern);
std::string rfc822_text(std::int64_t wall_ns);

// Names for %P and %I; what has no name is shown as it is.
std::string port_text(std::uint16_t port);
std::string host_text(std::string_view address);

}  // namespace dt::consumer

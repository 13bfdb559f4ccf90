#pragma once
// Pieces of text that every format is made of. All functions append to `out`;
// integers go through std::to_chars, because rows are printed by the million.

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "support/shown.h"

namespace dt::consumer {

using Bytes = std::span<const std::uint8_t>;

// Right-justified in `width` columns, as "%*lld" and "%*llu".
void append_signed(std::string& out, std::int64_t value, std::size_t width);
void append_unsigned(std::string& out, std::uint64_t value, std::size_t width);
void append_padded(std::string& out, std::string_view text, std::size_t width, bool left);

using support::is_control;
using support::utf8_length;

// Makes a string that was recorded harmless to a terminal; scripts print strings that contain
// newlines and tabs.
void append_for_terminal(std::string& out, std::string_view text);

// Every character that is not printable ASCII as a C escape: \n, \t, \033.
void append_c_escaped(std::string& out, std::string_view text);

// Ends the last line of the text where a terminal of so many columns ends; 0: of any width.
void cut_line(std::string& text, std::size_t columns);

// The dump of tracemem() and of bytes that are no string: a newline, the
// header, then 16 bytes a row.
void append_hex_dump(std::string& out, Bytes bytes);

// trace() of bytes: what they look like.
enum class Look : std::uint8_t { kBinary, kTerminated, kUnterminated };
Look look_of(Bytes bytes);

// The text of a fixed-size, zero-padded string.
std::string_view c_string(Bytes bytes);

}  // namespace dt::consumer

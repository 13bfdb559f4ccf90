#pragma once
// Pieces of text that every format is made of. All functions append to `out`;
// integers go through std::to_chars, because rows are printed by the million.

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace dt::consumer {

using Bytes = std::span<const std::uint8_t>;

// Right-justified in `width` columns, as "%*lld" and "%*llu".
void append_signed(std::string& out, std::int64_t value, std::size_t width);
void append_unsigned(std::string& out, std::uint64_t value, std::size_t width);
void append_padded(std::string& out, std::string_view text, std::size_t width, bool left);

// Length of the valid UTF-8 sequence that begins `text`, which is not empty; 0
// when there is none (overlong forms and surrogates are none).
std::size_t utf8_length(std::string_view text, std::uint32_t* decoded = nullptr);

// Controls, also those of C1, and what turns the direction of the text around or breaks its
// lines: a terminal that obeys them shows something else than what is there.
bool is_control(std::uint32_t code);

// Makes a string from the traced system harmless to a terminal: control
// characters (C0 but newline and tab, DEL, C1, those of direction) and bytes
// that are not valid UTF-8 become \ooo. Newline and tab stay: they cannot change the terminal's
// state, and scripts print strings that contain them.
void append_for_terminal(std::string& out, std::string_view text);

// Every character that is not printable ASCII as a C escape: \n, \t, \033.
void append_c_escaped(std::string& out, std::string_view text);

// The dump of tracemem() and of bytes that are no string: a newline, the
// header, then 16 bytes a row.
void append_hex_dump(std::string& out, Bytes bytes);

// trace() of bytes: what they look like.
enum class Look : std::uint8_t { kBinary, kTerminated, kUnterminated };
Look look_of(Bytes bytes);

// The text of a fixed-size, zero-padded string.
std::string_view c_string(Bytes bytes);

}  // namespace dt::consumer

#pragma once
// The one way to show what this program has not written itself: names in the files and
// processes that are traced, and strings that were recorded. A terminal obeys some characters
// (ESC and the other controls, those that turn the direction of text around), and a newline in
// a name forges a line. `scripts/check-names` looks for names that are shown in another way.

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace dt::support {

// Length of the valid UTF-8 sequence that begins `text`, which is not empty; 0
// when there is none (overlong forms and surrogates are none).
std::size_t utf8_length(std::string_view text, std::uint32_t* decoded = nullptr);

// Control characters of ASCII and C1, and the Unicode characters that change the direction of a
// text or break its lines. A terminal that obeys one of them shows another text than the bytes are.
bool is_control(std::uint32_t code);

// Whether it is printable ASCII alone, which is shown as it is.
bool is_plain(std::string_view text);

// "\\033" for ESC.
void append_octal(std::string& out, unsigned char c);

// Text of several lines: every byte of a control and all that is not valid UTF-8 becomes \ooo,
// but for newline and tab, which cannot change the state of a terminal.
void append_text(std::string& out, std::string_view text);
std::string shown_text(std::string_view text);

// A name (of a symbol, type, member, file, module, probe or process): newline and tab, too.
void append_name(std::string& out, std::string_view name);
std::string shown_name(std::string_view name);

}  // namespace dt::support

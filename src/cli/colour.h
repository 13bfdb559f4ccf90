#pragma once
// Messages on a terminal: escaped, and in colour where the user allows it.

#include <string>
#include <string_view>

namespace dt::cli {

// False where NO_COLOR is set (no-color.org) or the terminal is a dumb one.
bool wants_colour();

// Whole lines of messages with the words that a reader looks for marked: who speaks, "error:", the
// hint, and the underlined place.
std::string coloured(std::string_view text);

// What to write to a terminal: escaped, as names come from anywhere, and coloured if that is
// wanted.
std::string for_terminal(std::string_view text);

}  // namespace dt::cli

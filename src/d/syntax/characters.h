#pragma once
// Classes of characters, and the text of directives.

#include <string>
#include <string_view>

namespace dt::d {

// Character classes.
bool is_digit(char c);
bool is_name_start(char c);  // letter or _
bool is_name(char c);        // and digits
bool is_blank(char c);       // space, tab, newline and the other white space
bool is_probe_char(char c);  // what a probe description may consist of

// Without the blanks at both ends.
std::string_view trim(std::string_view text);

// A directive's text: comments out, continued lines joined, runs of blanks to one; quoted text as
// it is.
std::string squeeze(std::string_view text);

}  // namespace dt::d

#pragma once
// The words of a command given to -c. There is no shell: blanks separate,
// quotes and backslashes keep together, nothing else is special.

#include <string>
#include <string_view>
#include <vector>

#include "support/result.h"

namespace dt::runtime {

// In '...' everything is itself; in "..." a backslash protects a quote or a
// backslash; elsewhere it protects any character. An error for an open quote, a
// backslash at the end, or no word at all.
Result<std::vector<std::string>> split_words(std::string_view command);

// The first word that a shell would obey or replace and that no quotes protect, as ">", "|",
// "$HOME" or "*.c"; "" when there is none. Words of which operators are only parts ("a>b") are no
// such words.
std::string word_for_shell(std::string_view command);

}  // namespace dt::runtime

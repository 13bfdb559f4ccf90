#pragma once
// Words that other languages have and D does not.

#include <string_view>

namespace dt::d {

// What to write in D instead, as a hint; "" for a word that is not known.
std::string_view foreign_word(std::string_view word);

}  // namespace dt::d

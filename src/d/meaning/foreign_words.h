#pragma once
// Words that other languages and other kernels have, and D or this kernel does not.

#include <string_view>

namespace dt::d {

// What to write in D instead, as a hint; "" for a word that is not known.
std::string_view foreign_word(std::string_view word);

// The same for a variable of another kernel, written without its backquote: `utsname.
std::string_view foreign_symbol(std::string_view name);

// The same for a member of other kernels' threads and processes: curthread->t_procp.
std::string_view foreign_member(std::string_view name);

// Whether it is a variable of other kernels that lib/solaris.d has, as solaris_NAME.
bool is_symbol_of_library(std::string_view name);

}  // namespace dt::d

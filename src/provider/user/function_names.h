#pragma once
// Names of functions of programs, as probes have them.

#include <string>
#include <string_view>

#include "symbol/frames/functions.h"

namespace dt::provider {

// The linker's name or, with `demangles` (-x demangle), that of the source.
std::string shown_function(const symbol::Function& function, bool demangles);

// Whether a pattern means the function. A pattern of the linker's names, _ZN4shop*, does so
// whatever functions are called.
bool is_function_of(std::string_view pattern, const symbol::Function& function, bool demangles);

}  // namespace dt::provider

#pragma once
// What a script can name instead of a function of the kernel: hints for functions that this
// kernel does not have, or does not let be traced.

#include <string>
#include <string_view>

#include "types/type.h"

namespace dt::stap {

// "ioblock.request is the same event": of a function of the kernel proper; empty: nothing is known.
std::string hint_of_function(std::string_view function, bool is_return);

// What became of a function of earlier kernels: "kernel_clone" of do_fork; empty: nothing is known.
std::string new_name_of(std::string_view function);

// Whether the kernel proper has a function of that name, by its type information.
bool has_function(const types::Catalog& types, const std::string& function);

}  // namespace dt::stap

#pragma once
// What to say of a function that processes do not have.

#include <set>
#include <string>

#include "types/type.h"

namespace dt::provider {

// `functions` are those that the objects have; `types` knows the objects, of one process or
// none, by the names `modules` ("pid12`libc.so.6"). Says what the compiler has made of the
// function, or else which other one may have been meant; empty when nothing can be said.
std::string hint_for_absent(const std::string& name, const std::set<std::string>& functions,
                            const types::Catalog& types, const std::set<std::string>& modules);

// Why there is no return of strlen@plt, a piece of code that calls a function of another file.
std::string no_return_of_linkage(const std::string& name);

}  // namespace dt::provider

#pragma once
// Where the D libraries lie, and what the front-end asks about them.

#include <string>
#include <vector>

#include "api/language.h"
#include "d/syntax/world.h"

namespace dt::api {

// The directory of the libraries that came with this program: -x syslibdir, or
// PREFIX/lib/dtrace of the PREFIX that it, or the shared library, is installed
// in, or lib/ of the tree that it was built in; "" when there is none.
std::string system_library_directory(const Options& options);

// Gives D the libraries of that directory and of -L and -x libdir; none with -x nolibs.
// `told` hears of what cannot be used. What `from` refers to must outlive `out`.
void offer_libraries(d::Options& out, const LanguageRequest& from);

}  // namespace dt::api

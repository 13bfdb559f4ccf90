#pragma once
// Where the D libraries lie, and what the front-end asks about them.

#include <string>
#include <vector>

#include "cli/options.h"
#include "d/front_end.h"

namespace dt::cli {

// The directory of the libraries that came with this program: -x syslibdir, or
// PREFIX/lib/dtrace beside PREFIX/bin, or lib/ of the tree that it was built
// in; "" when there is none.
std::string system_library_directory(const Options& options);

// Gives `world` the libraries of that directory and of -L and -x libdir; none
// with -x nolibs. What cannot be used is said on stderr.
void offer_libraries(d::World& world, const Options& options);

}  // namespace dt::cli

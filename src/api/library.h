#pragma once
// Where the D libraries lie, and what the front-end asks about them.

#include <string>
#include <vector>

#include "api/request.h"
#include "front/world.h"

namespace dt::api {

// The directory of the libraries that came with this program: -x syslibdir, or
// PREFIX/lib/dtrace of the PREFIX that it, or the shared library, is installed
// in, or lib/ of the tree that it was built in; "" when there is none.
std::string system_library_directory(const Options& options);

// Gives `world` the libraries of that directory and of -L and -x libdir; none
// with -x nolibs. `told`, which must outlive the world, hears of what cannot be used.
void offer_libraries(front::World& world, const Options& options, const Told& told);

}  // namespace dt::api

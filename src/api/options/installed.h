#pragma once
// What is installed beside the command and the shared library.

#include <string>

#include "api/options/options.h"

namespace dt::api {

// The directory of the libraries that came with this program: -x syslibdir, or
// PREFIX/lib/dtrace of the PREFIX that it, or the shared library, is installed
// in, or lib/ of the tree that it was built in; "" when there is none.
std::string system_library_directory(const Options& options);

}  // namespace dt::api

#pragma once
// Which build of the program or the library this is.

#include <string>

namespace dt::support {

// The identity that the linker gave it, in hexadecimal; empty without one.
std::string own_build_id();

}  // namespace dt::support

#pragma once
// -D NAME=NUMBER of the command line.

#include <string>

#include "stap/meaning/program.h"

namespace dt::stap {

// Sets the limit that the definition is about. The answer says what the definition does not do;
// empty: it is followed.
std::string define(Limits& limits, const std::string& definition);

}  // namespace dt::stap

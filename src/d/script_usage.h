#pragma once
// What a script says of itself, read without compiling it: for `script -h`, and for reading its
// command line.

#include <string_view>

#include "front/script_option.h"

namespace dt::d {

// A declaration that is malformed is left out.
front::ScriptUsage read_script_usage(std::string_view text);

}  // namespace dt::d

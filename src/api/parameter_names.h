#pragma once
// What the traced code calls the arguments of a probe.

#include <string>
#include <vector>

#include "probe/probe.h"
#include "types/type.h"

namespace dt::api {

// Of args[0], args[1], ..., as many as there are `arguments`; empty where they are not known, and
// where a translator makes the arguments of something else.
std::vector<std::string> parameter_names(const probe::Description& probe,
                                         const std::vector<probe::Argument>& arguments,
                                         const types::Catalog& types);

}  // namespace dt::api

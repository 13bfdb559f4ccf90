#pragma once
// Probe points: what each of SystemTap's families means here.

#include <string>
#include <vector>

#include "stap/meaning/program.h"
#include "stap/syntax/messages.h"

namespace dt::stap {

// A point that is no alias of the script, as a handler without a body. False after an error,
// which is reported unless the point is optional.
bool resolve_point(const ProbePoint& point, Messages& messages, Handler& out);

}  // namespace dt::stap

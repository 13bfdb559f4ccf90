#pragma once
// What the handlers of a session have done, as lines of JSON: docs/jsonl.md.

#include <string>

#include "front/outcome.h"

namespace dt::front {

// A text is that of a whole run of a handler. A command has no line.
void append_line(std::string& out, const Outcome& outcome);

}  // namespace dt::front

#pragma once
// The handlers of a script: its probes, with the aliases that their points name.

#include "stap/meaning/program.h"
#include "stap/syntax/messages.h"

namespace dt::stap {

// Adds them to the program. False after an error, which is reported.
bool make_handlers(Program& program, Messages& messages);

}  // namespace dt::stap

#pragma once
// Handlers that do something in the process of -c or -x alone: `if (pid() != target()) next`.

#include "stap/meaning/program.h"

namespace dt::stap {

// Sets Event::Whose::only where all that stands before such a test gives values and changes
// nothing. The firings of other processes are then not recorded at all.
void find_target_only(Program& program);

}  // namespace dt::stap

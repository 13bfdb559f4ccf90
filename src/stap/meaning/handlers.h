#pragma once
// The handlers of a script: its probes, with the aliases that their points name.

#include <cstdint>

#include "stap/meaning/program.h"
#include "stap/syntax/messages.h"

namespace dt::stap {

// The point of a Handler::Choice of a handler that is one of several that a pattern means, `tcp.*`:
// `list` numbers the pattern. One of them at least must be there.
constexpr std::uint32_t kOfPattern = UINT32_MAX;

// Adds them to the program. False after an error, which is reported.
bool make_handlers(Program& program, Messages& messages);

}  // namespace dt::stap

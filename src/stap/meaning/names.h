#pragma once
// From names to what they mean: variables, functions, values of the probe.

#include <functional>

#include "stap/meaning/program.h"
#include "stap/syntax/messages.h"

namespace dt::stap {

// Makes handlers of the script's probes, with aliases replaced; finds the symbol of every name and
// the function of every call. False after an error, which is reported.
bool resolve_names(Program& program, Messages& messages);

}  // namespace dt::stap

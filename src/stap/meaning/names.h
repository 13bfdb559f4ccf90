#pragma once
// From names to what they mean: variables, functions, values of the probe.

#include <functional>

#include "stap/meaning/program.h"
#include "stap/syntax/messages.h"

namespace dt::stap {

// Makes handlers of the script's probes, their aliases put in; finds the symbol of every name, and
// the function of every call. What is wrong is reported; false if anything was.
bool resolve_names(Program& program, Messages& messages);

}  // namespace dt::stap

#pragma once
// What a handler may ask of a firing, itself or by the functions that it calls.

#include "stap/meaning/program.h"

namespace dt::stap {

// Into `handler.contexts`. Names must be resolved.
void collect_contexts(Handler& handler);

}  // namespace dt::stap

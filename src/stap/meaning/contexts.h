#pragma once
// What a handler may ask of a firing, itself or by the functions that it calls.

#include "stap/meaning/program.h"

namespace dt::stap {

// Whether it is process("path").plt("name").
bool is_linkage(const Event& event);
// Whether $$name is known of it: of marks, tracepoints and .plt.
bool has_name(const Event& event);
// Whether each of its events is a return.
bool fires_at_returns(const Handler& handler);
// Whether each of its events is of code of programs.
bool is_of_programs(const Handler& handler);

// Into `handler.contexts`. Names must be resolved.
void collect_contexts(Handler& handler);

}  // namespace dt::stap

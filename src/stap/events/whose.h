#pragma once
// Which processes' firings of a probe count (Event::Whose): the clause of an event begins with a
// test, and leaves if the process is none of them.

#include <string>

#include "ir/builder.h"
#include "stap/meaning/program.h"
#include "types/type.h"

namespace dt::stap {

// Why this kernel cannot tell; empty: it can.
std::string check_whose(const Event& event, const types::Catalog& types);

// Returns from the clause unless the current process is meant.
void leave_others(const Event::Whose& whose, const types::Catalog& types, ir::FunctionBuilder& b);

// Returns from the clause unless the program is at the event's statement; `at`: where it is. If two
// functions of a program have the same name, the probe is in both.
void leave_other_functions(const Event& event, ir::ValueId at, ir::FunctionBuilder& b);

// The same unless it was called by the function that is meant; `at`: where the program is, `stack`:
// its stack pointer, which the return address is at.
void leave_other_callers(const Event& event, ir::ValueId at, ir::ValueId stack,
                         ir::FunctionBuilder& b);

}  // namespace dt::stap

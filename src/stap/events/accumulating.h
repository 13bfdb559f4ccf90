#pragma once
// Which handlers of events add to variables in the kernel (meaning/accumulations.h), and which
// variables these are.

#include <string>

#include "stap/meaning/program.h"
#include "support/source.h"

namespace dt::stap {

// Sets Handler::accumulates and why_at_home, Expr::addition, and the variables of
// Program::accumulations with their words.
void find_accumulations(Program& program);

// A line for each handler of events, which says where it runs, and if at home, why:
// "; syscall.read at <input>:1:7: in the kernel".
std::string where_handlers_run(const Program& program, const Sources& sources);

}  // namespace dt::stap

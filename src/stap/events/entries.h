#pragma once
// @entry(x) and $x at a return: see settle.h.

#include <functional>

#include "stap/events/probes.h"
#include "stap/meaning/program.h"
#include "stap/syntax/messages.h"

namespace dt::stap {

// Calls f for each expression in the tree.
void for_each(const Expr& expr, const std::function<void(const Expr&)>& f);
void for_each(const Stmt& stmt, const std::function<void(const Expr&)>& f);

// Whether the event is the return of a call whose arguments its entry knows.
bool is_return_of_call(const Event& event);

// Takes what the handler with that number asks of entries out of it, into a handler of its own that
// is added to the program. False after an error, which is reported.
bool keep_entries(Program& program, std::size_t which, EventProbes& probes, Messages& messages);

}  // namespace dt::stap

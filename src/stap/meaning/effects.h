#pragma once
// What statements of a handler change.

#include <cstddef>
#include <string>

#include "stap/meaning/program.h"
#include "stap/syntax/messages.h"

namespace dt::stap {

// Removes assignments to variables of the handler that nothing reads, if computing the value has no
// effect. Returns how many.
std::size_t drop_unread(Stmt& stmt, const Handler& handler);

// Reports each foreach whose body changes the array that it goes over, itself or by the functions
// that it calls. False if there is one.
bool check_iterations(const Program& program, Messages& messages);

// Whether evaluating it may change something, or fail: memory that is read may be a fault.
bool may_do_something(const Expr& expr);

// Whether a statement writes to the variable that is called so.
bool writes(const Stmt& stmt, const std::string& name);

}  // namespace dt::stap

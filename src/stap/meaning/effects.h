#pragma once
// What statements of a handler change.

#include <cstddef>
#include <string>

#include "stap/meaning/program.h"
#include "stap/syntax/messages.h"

namespace dt::stap {

// Empties the assignments to variables of the handler that nothing reads, where computing the value
// changes nothing; how many those were.
std::size_t drop_unread(Stmt& stmt, const Handler& handler);

// Reports what changes an array while a foreach goes over it, itself or by the functions that it
// calls. False: something does.
bool check_iterations(const Program& program, Messages& messages);

// Whether a statement writes to the variable that is called so.
bool writes(const Stmt& stmt, const std::string& name);

}  // namespace dt::stap

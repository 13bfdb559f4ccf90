#pragma once
// Functions of floating point, fp_add() and others: their numbers are the bits of a double.

#include <vector>

#include "stap/home/variables.h"
#include "stap/meaning/functions.h"

namespace dt::stap {

// False where the function is another's.
bool compute_floating(Fn fn, const std::vector<Value>& arguments, Value& out);

}  // namespace dt::stap

#pragma once
// Why a call has no function.

#include <string>

#include "stap/meaning/functions.h"
#include "stap/meaning/program.h"
#include "stap/syntax/messages.h"

namespace dt::stap {

// "" when the function can be called with so many arguments.
std::string wrong_arity(const FunctionInfo& function, const Expr& call);
// Whether a function of the name exists in the language, in the script or in the files of the
// library that the script needs.
bool is_function(const Program& program, const std::string& name);
// A variable that has no value, at a return or elsewhere: the function of this name, or what it is
// in D and bpftrace. Empty: it is neither.
std::string hint_of_variable(const Program& program, const std::string& name, bool is_return);
// Neither the script nor the library has the function, or it has another number of parameters.
void report_no_function(const Program& program, const Expr& call, Messages& messages);

}  // namespace dt::stap

#pragma once
// The types of everything, inferred over the whole program: long, string, or statistics.

#include <functional>
#include <string>

#include "stap/meaning/program.h"
#include "stap/syntax/messages.h"

namespace dt::stap {

// The type of the value that the point of a handler has under a name; kUnknown: it has none.
using ProvidedType = std::function<Type(const Handler& handler, const std::string& name)>;

// Sets the types of all variables, functions and expressions. False after an error, which is
// reported.
bool infer_types(Program& program, const ProvidedType& provided, Messages& messages);

const char* type_name(Type type);

}  // namespace dt::stap

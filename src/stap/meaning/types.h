#pragma once
// The types of everything, inferred over the whole program: long, string, or statistics.

#include <functional>
#include <string>

#include "stap/meaning/program.h"
#include "stap/syntax/messages.h"

namespace dt::stap {

// What the point of a handler gives under a name; kUnknown: nothing.
using ProvidedType = std::function<Type(const Handler& handler, const std::string& name)>;

// Fills in the types. What is wrong is reported; false if anything was.
bool infer_types(Program& program, const ProvidedType& provided, Messages& messages);

const char* type_name(Type type);

}  // namespace dt::stap

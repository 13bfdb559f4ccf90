#pragma once
// A tree as text, which parses again to the same tree: stap -p1.

#include <string>

#include "stap/syntax/tree.h"

namespace dt::stap {

std::string print(const Script& script);
std::string print(const Expr& expr);

}  // namespace dt::stap

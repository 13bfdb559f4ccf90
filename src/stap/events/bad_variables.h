#pragma once
// --skip-badvars: a value of the probe that is not there is 0, and a text of one is empty.

#include "stap/syntax/tree.h"

namespace dt::stap {

// Makes @choose_defined($x, 0) of each $x that nothing asks @defined of. What is assigned to stays.
void skip_bad_variables(Stmt& body);
void skip_bad_variables(ExprPtr& expr);

}  // namespace dt::stap

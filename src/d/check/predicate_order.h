#pragma once
// Which of a clause's two parts gives the variables of the other their types.

#include <functional>

namespace dt::d {

struct Clause;
struct Expr;

// Whether the predicate must be checked before the action list: the actions read a variable that
// does not exist (`is_new`) and that only the predicate has written to when they do.
bool is_predicate_first(const Clause& clause, const std::function<bool(const Expr*)>& is_new);

// The first variable that the predicate reads before it writes to it, and for which `wanted`
// holds; nullptr when there is none.
const Expr* first_read(const Expr* predicate, const std::function<bool(const Expr*)>& wanted);

// The variable that an expression writes to, if it is a variable and if it does.
const Expr* written_variable(const Expr* e);

}  // namespace dt::d

#pragma once
// Subroutines of strings: calls of D become kCall.
//
// NULL is the empty string here, as everywhere in the IR. What is found may be
// empty too (strchr(s, 0)), so where a call of strstr() or a similar subroutine is compared
// with NULL or read directly, its position decides and not the string.

#include <optional>
#include <vector>

#include "d/lower/part.h"
#include "ir/function.h"

namespace dt::d::lowering {

class Capacities;

class StringSubroutines : Part {
 public:
  // Where strstr() and similar subroutines find what they search for in the text, negative
  // for NULL.
  struct Found {
    ValueId text, position;
  };

  StringSubroutines(Context& context, Capacities& capacities)
      : Part(context), capacities_(capacities) {}

  // A call whose result is an integer, a string.
  ValueId integer(const Expr* e);
  ValueId string_call(const Expr* e);
  // Nothing when `e` is no call of such a subroutine.
  std::optional<Found> find(const Expr* e);
  ValueId found_string(const Expr* e, const Found& found);
  // e, a comparison, when it holds such a call against NULL.
  std::optional<ValueId> null_test(const Expr* e);

 private:
  ValueId call(ir::Subroutine subroutine, ir::Type type, std::vector<ValueId> args);
  ValueId base(const Expr* e);
  ValueId token(const Expr* e, ir::Type type);
  ValueId limited_string(const Expr* e, ir::Type type);

  Capacities& capacities_;
};

}  // namespace dt::d::lowering

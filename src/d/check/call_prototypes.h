#pragma once
// Arguments of actions, subroutines and aggregating functions against their prototypes.

#include <string_view>

#include "d/check/part.h"

namespace dt::d {

struct FunctionInfo;

class CallPrototypes : Part {
 public:
  explicit CallPrototypes(Context& context) : Part(context) {}

  // Whether the arguments, which have been checked, are those of the prototype. Reports.
  bool fits(const Expr* e, const FunctionInfo& info);

 private:
  bool compatible(std::string_view parameter, const Expr* argument);
};

}  // namespace dt::d

#pragma once
// Objects in variables: what a variable may hold, and elements within bounds.

#include <string_view>

#include "d/check/part.h"

namespace dt::d {

class Objects : Part {
 public:
  explicit Objects(Context& context) : Part(context) {}

  // Whether a variable may hold a value of the type. Reports.
  bool may_hold(Span span, std::string_view name, TypeId type);
  // Whether a constant index of an array in a variable is within it; others are checked when the
  // clause runs. Reports.
  bool within_bounds(const Expr* base, const Expr* at);
  // Checks an index of memory. Reports.
  bool integer_index(Expr* at);
};

}  // namespace dt::d

#pragma once
// printrow(): pairs of a column and its value.

#include "d/check/part.h"

namespace dt::d {

class Formats;

class Rows : Part {
 public:
  Rows(Context& context, Formats& formats) : Part(context), formats_(formats) {}

  void check(Expr* e);

 private:
  bool column(Expr* e, std::size_t at);

  Formats& formats_;
};

}  // namespace dt::d

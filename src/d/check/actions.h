#pragma once
// Actions: what they record, and what they do besides recording.

#include <cstdint>

#include "d/check/part.h"

namespace dt::d {

enum class Fn : std::uint8_t;

class AggregationActions;
class Formats;
class KernelUse;
class Rows;
class Translators;

class Actions : Part {
 public:
  Actions(Context& context, Formats& formats, Rows& rows, AggregationActions& aggregation_actions,
          KernelUse& kernel, Translators& translators)
      : Part(context),
        formats_(formats),
        rows_(rows),
        aggregation_actions_(aggregation_actions),
        kernel_(kernel),
        translators_(translators) {}

  // e is a call of the action `fn` with as many arguments as it takes.
  void check(Expr* e, Fn fn);

 private:
  void trace(Expr* e);
  void tracemem(Expr* e);
  void stack(Expr* e, Fn fn);
  void print(Expr* e);
  void printm(Expr* e);
  void freopen(Expr* e);

  Formats& formats_;
  Rows& rows_;
  AggregationActions& aggregation_actions_;
  KernelUse& kernel_;
  Translators& translators_;
};

}  // namespace dt::d

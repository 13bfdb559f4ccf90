#pragma once
// Calls: actions and subroutines.

#include <cstdint>

#include "d/check/part.h"

namespace dt::d {

enum class Fn : std::uint8_t;
struct FunctionInfo;

class Actions;
class CallPrototypes;
class Inlines;
class KernelUse;
class Tables;

class Calls : Part {
 public:
  Calls(Context& context, Tables& tables, Inlines& inlines, KernelUse& kernel,
        CallPrototypes& prototypes, Actions& actions)
      : Part(context),
        tables_(tables),
        inlines_(inlines),
        kernel_(kernel),
        prototypes_(prototypes),
        actions_(actions) {}

  void check(Expr* e, bool whole);  // whole: as a statement

 private:
  bool arguments(Expr* e, const FunctionInfo& info);
  void subroutine(Expr* e, Fn fn);
  void unsupported(const Expr* e, const FunctionInfo& info);

  Tables& tables_;
  Inlines& inlines_;
  KernelUse& kernel_;
  CallPrototypes& prototypes_;
  Actions& actions_;
};

}  // namespace dt::d

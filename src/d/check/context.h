#pragma once
// Context: what the parts of the checker share.

#include "d/check/scope.h"
#include "d/meaning/type_meaning.h"

namespace dt::support {
class Diagnostics;
class Sources;
}  // namespace dt::support

namespace dt::d {

struct World;
class Arena;
class ExpressionChecker;

struct Context {
  support::Sources& sources;
  World& world;
  Arena& arena;
  support::Diagnostics& diagnostics;
  ExpressionChecker& expressions;
  TypeRules rules;
  Scope scope = {};
};

}  // namespace dt::d

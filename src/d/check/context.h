#pragma once
// Context: what the parts of the checker share.

#include <cstdint>
#include <string>
#include <unordered_set>
#include <vector>

#include "d/check/scope.h"
#include "d/meaning/type_meaning.h"
#include "support/diagnostics.h"

namespace dt::support {
class Sources;
}  // namespace dt::support

namespace dt::d {

struct World;
class Arena;
class ExpressionChecker;

// What has been said, so that one cause is one message.
struct Said {
  std::unordered_set<std::string> once;         // tags and texts of Part::error_once()
  support::Diagnostic again;                    // a diagnostic that was reported before goes here
  std::vector<support::Diagnostic> taken_back;  // of what a constant condition excludes
};

struct Context {
  support::Sources& sources;
  World& world;
  Arena& arena;
  support::Diagnostics& diagnostics;
  ExpressionChecker& expressions;
  TypeRules rules;
  Scope scope = {};
  Said said = {};
  std::vector<std::uint32_t> addressed = {};  // string variables whose characters have an address
};

}  // namespace dt::d

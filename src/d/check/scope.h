#pragma once
// Scope: where in the program what is being checked stands.

#include <cstdint>
#include <vector>

namespace dt::d {

struct Binding;
struct Clause;
struct Expr;

struct Scope {
  const Clause* clause = nullptr;
  const std::vector<Binding>* bindings = nullptr;  // of the body that is being expanded
  std::uint32_t height = 0;         // of the trees that are being expanded, one within another
  bool in_library = false;          // what is being declared comes from a library
  const Expr* misplaced = nullptr;  // an action or an aggregation within the whole expression
};

// A library that is loaded, and an inline that is defined, in the middle of whatever is being
// checked sees neither its clause nor its parameters.
class Elsewhere {
 public:
  explicit Elsewhere(Scope& scope) : scope_(scope), outer_(scope) {
    scope.bindings = nullptr;
    scope.clause = nullptr;
  }
  ~Elsewhere() { scope_ = outer_; }
  Elsewhere(const Elsewhere&) = delete;
  Elsewhere& operator=(const Elsewhere&) = delete;

 private:
  Scope& scope_;
  const Scope outer_;
};

}  // namespace dt::d

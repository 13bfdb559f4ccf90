#pragma once
// Stage 3: gives every expression a type and every name a meaning, and finds
// what is wrong. The result is the same tree with its "typed" fields filled in,
// and tables (checked.h).
//
// The subjects are parts (part.h), one class each; checker.cc puts them together.

#include <memory>
#include <vector>

#include "d/check/checked.h"
#include "d/syntax/ast.h"

namespace dt::d {

class Checker {
 public:
  // `units`: the program's, which may still grow. What a library defines is found from now on,
  // by the parser too, as long as this lives.
  Checker(Sources& sources, const std::vector<Unit>& units, World& world, Arena& arena,
          Diagnostics& diagnostics);
  ~Checker();
  Checker(const Checker&) = delete;
  Checker& operator=(const Checker&) = delete;

  // Checks all units of the program, in order. Reports; the tree may be lowered only when nothing
  // was reported.
  Checked check(std::vector<Unit>& units);

 private:
  struct Parts;
  std::unique_ptr<Parts> parts_;
};

}  // namespace dt::d

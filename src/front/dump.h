#pragma once
// Dump: what a front-end shows of its stages, for -xdump and -v.

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "probe/probe.h"

namespace dt::front {

// How stable a clause is: the least stable of its probes' names, and of what it
// says.
struct ClauseStability {
  std::uint32_t source = 0;
  probe::Attributes probes;
  probe::Attributes statements;
};

// Stages as text, for -xdump.
struct Dump {
  std::string tokens, ast, typed, ir;
  std::vector<ClauseStability> stability;
  // Remarks that are reported when the program runs: a text, and what to do.
  std::vector<std::pair<std::string, std::string>> remarks;
  bool want_tokens = false, want_ast = false, want_typed = false, want_ir = false;
  bool ends_with_ast = false;  // nothing that follows from the tree is wanted
};

}  // namespace dt::front

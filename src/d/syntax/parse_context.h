#pragma once
// What the lexer and the parser share of one compilation, and their limits.

#include <cstddef>
#include <cstdint>
#include <vector>

#include "d/syntax/ast.h"
#include "d/syntax/world.h"
#include "support/diagnostics.h"
#include "support/source.h"

namespace dt::d {

// Deepest nesting of expressions, statements and declarators: the parser recurses over it.
constexpr std::uint32_t kMaxDepth = 500;
// The tallest expression tree, as that of `a + b + c ...`; every later stage may recurse over it.
constexpr std::uint32_t kMaxHeight = 2000;
// Longest text that is accepted as a program.
constexpr std::size_t kMaxSourceBytes = std::size_t{256} << 20;

struct ParseContext {
  Sources& sources;  // line markers are added to the source
  Diagnostics& diagnostics;
  // World::default_args is set by `#pragma D option defaultargs`, at once.
  World& world;
  Arena& arena;
  // [n] is true when $n or $$n was referenced; grown as needed. Shared by the
  // inputs of one program: compile() reports the arguments that none used.
  std::vector<bool>& macro_references;
};

}  // namespace dt::d

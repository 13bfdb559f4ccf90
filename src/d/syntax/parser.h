#pragma once
// Text -> tree: the whole syntax of D.
//
// The parser asks the world for two things only: the values of macro variables
// ($1, $target, ...), and, where `(name)` could be a cast or an expression,
// whether a name is a type. It reports what it finds and goes on with the next
// statement or clause, so that one run shows several errors.

#include <cstdint>
#include <optional>
#include <string>

#include "d/syntax/ast.h"
#include "d/syntax/parse_context.h"
#include "front/input.h"
#include "support/source.h"

namespace dt::d {

// The tree of one source; nullopt when anything was reported.
std::optional<Unit> parse(std::uint32_t source, front::Input::Spec spec, ParseContext& context);

// -xdump=tokens: one token a line, "line:col kind text". Reports nothing,
// records no references and adds no markers.
std::string print_tokens(std::uint32_t source, front::Input::Spec spec,
                         const ParseContext& context);

// -xdump=ast: one node a line, indented, with its place "line:col-line:col"
// (physical lines, the end is exclusive).
std::string print(const Unit& unit, const Sources& sources);

}  // namespace dt::d

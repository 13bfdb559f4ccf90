#pragma once
// Stage 4: the typed tree -> ir::Program.

#include <vector>

#include "d/check/checked.h"
#include "d/syntax/ast.h"
#include "d/syntax/world.h"
#include "ir/ir.h"

namespace dt::d {

// The units must have been checked without an error.
ir::Program lower(const std::vector<Unit>& units, const Checked& checked, World& world);

}  // namespace dt::d

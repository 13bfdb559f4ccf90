#pragma once
// -xdump=typed: the checked tree, one node a line, with the type and the
// meaning of every expression.

#include <string>
#include <vector>

#include "d/check/checked.h"
#include "d/syntax/ast.h"
#include "d/syntax/world.h"

namespace dt::d {

std::string print_typed(const std::vector<Unit>& units, const Checked& checked, const World& world);

}  // namespace dt::d

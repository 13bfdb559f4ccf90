#pragma once
// Probe points: what each of SystemTap's families means here.

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "stap/meaning/point_tree.h"
#include "stap/meaning/program.h"
#include "stap/syntax/messages.h"

namespace dt::stap {

// Whether points that begin with this name are resolved here, and by no library.
bool is_family(std::string_view name);
// The families that a pattern for the first word means.
std::vector<std::string> families_of(std::string_view pattern);

// A point that is no alias of the script, as a handler without a body. `misfit`: what is wrong with
// its words. False after an error, which is reported unless the point is optional.
bool resolve_point(const ProbePoint& point, const PointWorld& around,
                   const std::optional<PointTree::Misfit>& misfit, Messages& messages,
                   Handler& out);

}  // namespace dt::stap

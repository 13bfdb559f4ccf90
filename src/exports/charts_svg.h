#pragma once
// -x oformat=svg of what is no flame graph: the charts of a program under each other, with one axis
// of time. A tooltip (title) has the exact numbers; the attribute data-n has them for programs.

#include <cstdint>
#include <string>
#include <string_view>

#include "view/charts.h"

namespace dt::exports {

// `dropped`: firings and values that were lost.
std::string charts_svg(const view::Charts& charts, std::string_view title, std::uint64_t dropped);

}  // namespace dt::exports

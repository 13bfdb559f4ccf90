#pragma once
// The style and the script within a flame graph's SVG.

#include <string>
#include <string_view>

namespace dt::exports {

// Warm colours; cold ones for what is a sum (of time, most often).
std::string flame_style(bool is_cold);
// A click shows a frame as wide as all; Search marks frames by a part of their names and says which
// share of the whole they are, frames within marked frames counted once. Keys: '/' or Ctrl-F,
// Escape.
std::string_view flame_script();

}  // namespace dt::exports

#pragma once
// How pictures show what a frame is of.

#include "view/frame_tree.h"

namespace dt::exports {

struct CodeStyle {
  const char* svg_class;  // of flame_style()
  int term_colour;        // of the 256 of a terminal
  const char* said;       // at the end of a tooltip, as a colour is not the only sign; may be empty
};

const CodeStyle& style_of(view::Code code);

}  // namespace dt::exports

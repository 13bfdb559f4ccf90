#pragma once
// Point: which probes a program means, as a front-end gives it to the stages after it.

#include <optional>
#include <string>
#include <string_view>

#include "probe/pattern.h"
#include "support/ids.h"
#include "support/source.h"

namespace dt::probe {

// All probes that the pattern matches, or the one with that number. The fields of the pattern
// may hold any character: a front-end whose probe points are paths with colons fills them in
// itself. `pattern.text` is the point as the program has it, for messages.
struct Point {
  Pattern pattern;
  std::optional<ProbeId> id = {};
  Span span = {};  // in the program

  // The same probes by the same text, wherever it is written.
  bool is_same(const Point& other) const { return pattern == other.pattern && id == other.id; }
};

// Four fields with colons between them, right-aligned as parse_pattern() reads them, or a
// number: D's descriptions, and the short form of points in the text of the IR. A text with
// more than four fields is a point that matches no probe.
Point parse_point(std::string_view text, Span span = {});

// As the program has it, or its four fields.
std::string to_string(const Point& point);

}  // namespace dt::probe

// See point.h.

#include "probe/point.h"

#include <utility>

#include "support/whole_number.h"

namespace dt::probe {

Point parse_point(std::string_view text, Span span) {
  Point point;
  point.span = span;
  if (const auto id = support::whole_number<std::uint32_t>(text)) {
    point.id = ProbeId(*id);
  } else if (std::optional<Pattern> pattern = parse_pattern(text)) {
    point.pattern = std::move(*pattern);
  } else {
    point.pattern.name = text;  // no probe has a colon in its name
  }
  point.pattern.text = text;
  return point;
}

std::string to_string(const Point& point) { return to_string(point.pattern); }

}  // namespace dt::probe

// See point.h.

#include "probe/point.h"

#include <charconv>
#include <utility>

namespace dt::probe {

Point parse_point(std::string_view text, Span span) {
  Point point;
  point.span = span;
  std::uint32_t id = 0;
  const char* const end = text.data() + text.size();
  const auto [stop, failure] = std::from_chars(text.data(), end, id);
  if (failure == std::errc() && stop == end) {
    point.id = ProbeId(id);
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

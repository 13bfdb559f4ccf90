// See unmatched.h.

#include "probe/unmatched.h"

namespace dt::probe {

Unmatched explain_unmatched(const Catalog& probes, const Point& point) {
  constexpr std::size_t kNearMatches = 3;
  Unmatched out{point};
  if (point.id) return out;
  out.refusal = probes.refusal(point.pattern);
  if (out.refusal) return out;
  out.why = probes.why_not(point.pattern);
  out.near = probes.near(point.pattern, kNearMatches);
  return out;
}

}  // namespace dt::probe

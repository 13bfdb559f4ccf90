#pragma once
// Why a point matches no probes: facts, which the front-end words.

#include <optional>
#include <string>
#include <vector>

#include "probe/point.h"
#include "probe/probe.h"

namespace dt::probe {

struct Unmatched {
  Point point;
  // What is wrong with the point, if its provider knows exactly; the rest is empty then.
  std::optional<Refusal> refusal = {};
  std::string why = {};                // nothing of this kind can be traced on this kernel
  std::vector<Description> near = {};  // what may have been meant, the nearest first
};

// Asks the catalogue about a point that matched nothing.
Unmatched explain_unmatched(const Catalog& probes, const Point& point);

}  // namespace dt::probe

// See spans.h.

#include "view/spans.h"

#include <algorithm>
#include <utility>

namespace dt::view {

void Spans::match(Side begin, Side end) {
  Slice slice;
  slice.lane = begin.lane;
  slice.name = begin.name;
  slice.begin_ns = begin.time_ns;
  slice.end_ns = std::max(begin.time_ns, end.time_ns);
  std::vector<Detail> details = std::move(begin.details);
  // A detail that the begin and the end have in common is shown once.
  const std::size_t begun = details.size();
  for (const Detail& detail : end.details) {
    const auto until = details.begin() + static_cast<std::ptrdiff_t>(begun);
    if (std::find(details.begin(), until, detail) == until) details.push_back(detail);
  }
  ++timeline_.matched.slices;
  timeline_.add(slice, details);
}

void Spans::unmatched(Side side) {
  ++timeline_.matched.unmatched;
  Moment moment;
  moment.lane = side.lane;
  moment.name = timeline_.text(timeline_.text(side.name) + " (unmatched)");
  moment.time_ns = side.time_ns;
  timeline_.add(moment, side.details);
}

void Spans::begin(Matching matching, Side side) {
  timeline_.met(side.time_ns);
  Place& place = places_[key_of(matching, side)];
  place.known.insert(side.pair);
  if (matching != Matching::kThread && !place.open.empty()) {
    unmatched(std::move(place.open.back()));
    place.open.pop_back();
  }
  place.open.push_back(std::move(side));
}

void Spans::end(Matching matching, Side side) {
  Place& place = places_[key_of(matching, side)];
  const auto found = std::find_if(place.open.rbegin(), place.open.rend(),
                                  [&](const Side& open) { return open.pair == side.pair; });
  if (found != place.open.rend()) {
    // Calls within it that have not returned yet never will.
    while (&place.open.back() != &*found) {
      unmatched(std::move(place.open.back()));
      place.open.pop_back();
    }
    Side begin = std::move(place.open.back());
    place.open.pop_back();
    // Numbers may be new ones for ever.
    if (matching == Matching::kValue) places_.erase(key_of(matching, side));
    match(std::move(begin), std::move(side));
    return;
  }
  if (!place.known.insert(side.pair).second) return unmatched(std::move(side));
  ++timeline_.matched.open_at_start;
  Slice slice;
  slice.lane = side.lane;
  slice.name = side.name;
  slice.begin_ns = 0;
  slice.end_ns = side.time_ns;
  slice.open = Slice::Open::kAtStart;
  timeline_.add(slice, side.details);
}

void Spans::finish() {
  std::vector<Side> left;
  for (auto& [key, place] : places_) {
    for (Side& side : place.open) left.push_back(std::move(side));
    place.open.clear();
  }
  // Not in the order of a table of hashes.
  std::ranges::sort(left, [](const Side& a, const Side& b) {
    return std::tuple(a.time_ns, a.lane.process, a.lane.thread, a.name) <
           std::tuple(b.time_ns, b.lane.process, b.lane.thread, b.name);
  });
  for (Side& side : left) {
    ++timeline_.matched.open_at_end;
    Slice slice;
    slice.lane = side.lane;
    slice.name = side.name;
    slice.begin_ns = side.time_ns;
    slice.end_ns = std::max(side.time_ns, timeline_.end_ns());
    slice.open = Slice::Open::kAtEnd;
    timeline_.add(slice, side.details);
  }
}

}  // namespace dt::view

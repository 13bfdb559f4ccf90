#pragma once
// Timelines as files of tools that draw time.

#include <string>

#include "view/timeline.h"

namespace dt::exports {

// The JSON of Chrome's tracing and of Perfetto's page: events within an object. Times are us since
// the timeline begins, with three digits behind the point, so exact.
std::string chrome(const view::Timeline& timeline);

// A trace of Perfetto: packets of https://perfetto.dev/docs/reference/trace-packet-proto.
std::string perfetto(const view::Timeline& timeline);

// What a person reads of a lane: "cat 4711", "CPU 3", and of a sibling "cat 4711 (2)".
std::string lane_name(const view::Timeline& timeline, const view::LaneId& lane,
                      std::uint32_t sibling);
// What is to be known of the whole: how records were matched, what was lost or left out.
std::string timeline_notes(const view::Timeline& timeline);

}  // namespace dt::exports

// See timeline.h.

#include "exports/timeline.h"

#include <fmt/core.h>

namespace dt::exports {

std::string lane_name(const view::Timeline& timeline, const view::LaneId& lane,
                      std::uint32_t sibling) {
  std::string name;
  if (lane.kind == view::LaneId::Kind::kCpu) {
    name = lane.thread < 0 ? "drops" : fmt::format("CPU {}", lane.thread);
  } else {
    const std::string& known = timeline.name_of(lane.process, lane.thread);
    name = fmt::format("{} {}", known.empty() ? "thread" : known, lane.thread);
  }
  return sibling == 0 ? name : fmt::format("{} ({})", name, sibling + 1);
}

std::string timeline_notes(const view::Timeline& timeline) {
  const view::Matched& matched = timeline.matched;
  std::string text;
  if (matched.records() != 0) {
    text = fmt::format(
        "{} records of pairs: {} slices of two, {} that began before, {} that had not ended, {} "
        "without partner; ",
        matched.records(), matched.slices, matched.open_at_start, matched.open_at_end,
        matched.unmatched);
  }
  text += fmt::format("{} dropped", timeline.dropped);
  if (timeline.left_out != 0) text += fmt::format("; {} events are left out", timeline.left_out);
  return text;
}

}  // namespace dt::exports

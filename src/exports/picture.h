#pragma once
// What -x oformat makes of the aggregations by stack at the end of a run, besides text and JSON.

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "view/flames.h"
#include "view/timeline.h"

namespace dt::exports {

// One aggregation by stack.
struct Layer {
  const view::Flame* flame = nullptr;
  std::vector<std::string> keys = {};  // the names of those that are no stacks
  std::string unit = {};               // of what was added up: "ns"; "" where it is not known
};

struct Picture {
  std::vector<Layer> layers;    // at least one, or a timeline; a format that shows one only shows
                                // the first
  std::uint64_t dropped = 0;    // firings and values that were lost
  std::string title;            // of a document: what was traced
  std::uint64_t period_ns = 0;  // between two samples of profile-N, if all are; else 0
  const view::FrameTree* before = nullptr;   // what the first layer is compared with (svg)
  const view::Timeline* timeline = nullptr;  // for a format that shows_time

  const view::FrameTree& tree() const { return layers.front().flame->tree; }
};

// Lines of frames with ';' between them, the outermost first, and a weight: what flamegraph.pl,
// inferno and speedscope read. In a name ';' becomes ':', and control characters are escaped.
std::string folded(const Picture& picture);

// A document of its own, with a script for zoom and search that needs no server. With `before`,
// colours say how shares have changed, and the key d shows the frames of before, those that are
// gone among them.
std::string svg(const Picture& picture);

// https://www.speedscope.app/file-format-schema.json, a profile for each aggregation, and for each
// lane of a timeline.
std::string speedscope(const Picture& picture);

// The profile of pprof, which reads gzip. A type of sample for each aggregation, and, where samples
// have a period, one for the time that they stand for.
std::string pprof(const Picture& picture);

using Draw = std::string (*)(const Picture& picture);
// The words of -x oformat that are pictures.
struct Format {
  std::string_view name;
  Draw draw;
  bool is_binary = false;   // and not for a terminal
  bool shows_all = false;   // and not the first aggregation only
  bool shows_time = false;  // slices of a timeline, too
};
std::span<const Format> formats();
// nullptr: the word is none of them.
const Format* find_picture(std::string_view name);

}  // namespace dt::exports

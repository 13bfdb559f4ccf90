#pragma once
// What -x oformat makes of the aggregations by stack at the end of a run, besides text and JSON.

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "view/flames.h"

namespace dt::exports {

struct Picture {
  const view::Flame* flame = nullptr;
  std::uint64_t dropped = 0;           // firings and values that were lost
  std::string title;                   // of a document: what was traced
  std::vector<std::string> keys = {};  // the names of those that are no stacks
};

// Lines of frames with ';' between them, the outermost first, and a weight: what flamegraph.pl,
// inferno and speedscope read. In a name ';' becomes ':', and control characters are escaped.
std::string folded(const Picture& picture);

// A document of its own, with a script for zoom and search that asks nobody.
std::string svg(const Picture& picture);

// https://www.speedscope.app/file-format-schema.json, one profile.
std::string speedscope(const Picture& picture);

// The profile of pprof, which reads gzip.
std::string pprof(const Picture& picture);

using Draw = std::string (*)(const Picture& picture);
// The words of -x oformat that are pictures.
struct Format {
  std::string_view name;
  Draw draw;
  bool is_binary = false;  // and not for a terminal
};
std::span<const Format> formats();
// nullptr: the word is none of them.
Draw find_picture(std::string_view name);

}  // namespace dt::exports

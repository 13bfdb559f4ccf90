#include <fmt/core.h>

#include <map>

#include "exports/picture.h"
#include "exports/timeline.h"
#include "record/aggregation.h"
#include "support/json.h"
#include "support/shown.h"

namespace dt::exports {
namespace {

using support::Json;
using view::FrameTree;

// All profiles share one list of frames, in which a name stands once.
class Frames {
 public:
  std::uint64_t number(const std::string& name) {
    const auto [at, is_new] = numbers_.try_emplace(name, names_.size());
    if (is_new) names_.push_back(&at->first);
    return at->second;
  }
  void write(Json& json) const {
    json.begin_array();
    for (const std::string* name : names_) json.begin_object().field("name", *name).end_object();
    json.end_array();
  }

 private:
  std::map<std::string, std::uint64_t> numbers_;
  std::vector<const std::string*> names_;
};

// The frames of a node's stack, the outermost first.
void write_stack(Json& json, Frames& frames, const FrameTree& tree, std::uint32_t node) {
  std::vector<std::uint32_t> stack;
  for (; node != FrameTree::kRoot; node = tree.nodes()[node].parent) {
    stack.push_back(tree.nodes()[node].frame);
  }
  json.begin_array();
  for (auto frame = stack.rbegin(); frame != stack.rend(); ++frame) {
    json.number(frames.number(support::shown_name(view::shown_frame(tree.frame(*frame)))));
  }
  json.end_array();
}

// Units of times that speedscope knows by another name.
const char* unit_of(const Layer& layer) {
  const bool adds_values = layer.flame->function == record::AggFunc::kSum;
  if (adds_values && layer.unit == "ns") return "nanoseconds";
  if (adds_values && layer.unit == "us") return "microseconds";
  if (adds_values && layer.unit == "ms") return "milliseconds";
  if (adds_values && layer.unit == "s") return "seconds";
  return "none";
}

void write_profile(Json& json, Frames& frames, const Layer& layer) {
  const FrameTree& tree = layer.flame->tree;
  json.begin_object()
      .field("type", "sampled")
      .field("name", layer.flame->name == "_" ? "@" : "@" + layer.flame->name)
      .field("unit", unit_of(layer))
      .field("startValue", std::int64_t{0})
      .field("endValue", tree.totals()[FrameTree::kRoot]);
  const auto each = [&](const char* name, const auto& write) {
    json.key(name).begin_array();
    for (std::uint32_t i = 0; i < tree.nodes().size(); ++i) {
      if (tree.nodes()[i].self != 0) write(i);
    }
    json.end_array();
  };
  each("samples", [&](std::uint32_t node) { write_stack(json, frames, tree, node); });
  each("weights", [&](std::uint32_t node) { json.number(tree.nodes()[node].self); });
  json.end_object();
}

// A profile for each lane and sibling: on it, what opens last closes first. Times are ns since the
// timeline begins, which a double has exactly for a hundred days.
void write_lanes(Json& json, Frames& frames, const view::Timeline& timeline) {
  const view::Slice* last = nullptr;
  const auto since_begin = [&](std::int64_t ns) { return ns - timeline.begin_ns(); };
  const auto end_profile = [&] {
    if (last != nullptr) json.end_array().end_object();
  };
  const auto event = [&](const char* type, const view::Slice& slice, std::int64_t ns) {
    json.begin_object().field("type", type);
    json.field("frame", frames.number(timeline.text(slice.name))).field("at", since_begin(ns));
    json.end_object();
  };
  view::walk_slices(
      timeline,
      [&](const view::Slice& slice) {
        if (last == nullptr || !(last->lane == slice.lane) || last->sibling != slice.sibling) {
          end_profile();
          json.begin_object()
              .field("type", "evented")
              .field("name", lane_name(timeline, slice.lane, slice.sibling))
              .field("unit", "nanoseconds")
              .field("startValue", std::int64_t{0})
              .field("endValue", since_begin(timeline.end_ns()));
          json.key("events").begin_array();
        }
        last = &slice;
        event("O", slice, slice.begin_ns);
      },
      [&](const view::Slice& slice) { event("C", slice, slice.end_ns); });
  end_profile();
}

}  // namespace

std::string speedscope(const Picture& picture) {
  Frames frames;
  std::string profiles;
  Json of_profiles(profiles);
  of_profiles.begin_array();
  for (const Layer& layer : picture.layers) write_profile(of_profiles, frames, layer);
  if (picture.timeline != nullptr) write_lanes(of_profiles, frames, *picture.timeline);
  of_profiles.end_array();
  std::string out;
  Json json(out);
  json.begin_object()
      .field("$schema", "https://www.speedscope.app/file-format-schema.json")
      .field("exporter", "dtrace")
      .field("name", fmt::format("{} ({} dropped)", picture.title, picture.dropped));
  json.key("shared").begin_object().key("frames");
  frames.write(json);
  json.end_object().key("profiles");
  out += profiles;  // behind its key
  out += "}\n";
  return out;
}

}  // namespace dt::exports

#include <fmt/core.h>

#include "consumer/json.h"
#include "exports/picture.h"
#include "record/aggregation.h"

namespace dt::exports {
namespace {

using consumer::Json;
using view::FrameTree;

// The frames of a node's stack, the outermost first.
void write_stack(Json& json, const FrameTree& tree, std::uint32_t node) {
  std::vector<std::uint32_t> stack;
  for (; node != FrameTree::kRoot; node = tree.nodes()[node].parent) {
    stack.push_back(tree.nodes()[node].frame);
  }
  json.begin_array();
  for (auto frame = stack.rbegin(); frame != stack.rend(); ++frame) {
    json.number(std::uint64_t{*frame});
  }
  json.end_array();
}

}  // namespace

std::string speedscope(const Picture& picture) {
  const FrameTree& tree = picture.flame->tree;
  std::string out;
  Json json(out);
  json.begin_object()
      .field("$schema", "https://www.speedscope.app/file-format-schema.json")
      .field("exporter", "dtrace")
      .field("name", picture.dropped == 0
                         ? picture.title
                         : fmt::format("{} ({} dropped)", picture.title, picture.dropped));
  json.key("shared").begin_object().key("frames").begin_array();
  for (std::uint32_t i = 0; i < tree.frame_count(); ++i) {
    json.begin_object().field("name", tree.frame(i).name).end_object();
  }
  json.end_array().end_object();
  json.key("profiles").begin_array().begin_object();
  json.field("type", "sampled")
      .field("name", picture.flame->name == "_" ? "@" : "@" + picture.flame->name)
      .field("unit", "none")
      .field("startValue", std::int64_t{0})
      .field("endValue", tree.totals()[FrameTree::kRoot]);
  const auto each = [&](const char* name, const auto& write) {
    json.key(name).begin_array();
    for (std::uint32_t i = 0; i < tree.nodes().size(); ++i) {
      if (tree.nodes()[i].self != 0) write(i);
    }
    json.end_array();
  };
  each("samples", [&](std::uint32_t node) { write_stack(json, tree, node); });
  each("weights", [&](std::uint32_t node) { json.number(tree.nodes()[node].self); });
  json.end_object().end_array().end_object();
  out += '\n';
  return out;
}

}  // namespace dt::exports

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <span>
#include <string_view>
#include <vector>

#include "exports/picture.h"
#include "support/shown.h"

namespace dt::exports {
namespace {

using view::FrameTree;

void append_frame(std::string& line, std::string_view name) {
  for (const char c : support::shown_name(name)) {
    line += c == ';' ? ':' : c;
  }
}

const view::Frame& frame_of(const FrameTree& tree, std::uint32_t node) {
  return tree.frame(tree.nodes()[node].frame);
}

// The children of nodes, by name.
std::vector<std::uint32_t> children_of(const FrameTree& tree,
                                       std::span<const std::uint32_t> nodes) {
  std::vector<std::uint32_t> all = tree.by_name(tree.nodes()[nodes.front()]);
  for (const std::uint32_t node : nodes.subspan(1)) {
    const std::vector<std::uint32_t> more = tree.by_name(tree.nodes()[node]);
    all.insert(all.end(), more.begin(), more.end());
  }
  if (nodes.size() > 1) {
    std::ranges::sort(all, [&](std::uint32_t a, std::uint32_t b) {
      return frame_of(tree, a) < frame_of(tree, b);
    });
  }
  return all;
}

// `nodes` have the same path: a function that was inlined in one place and called in another has
// two frames in the tree, of one name.
void append_lines(std::string& out, const FrameTree& tree, std::span<const std::uint32_t> nodes,
                  std::string& path) {
  std::int64_t self = 0;
  for (const std::uint32_t node : nodes) self += tree.nodes()[node].self;
  if (self != 0) out += fmt::format("{} {}\n", path.empty() ? "[no frames]" : path, self);
  const std::size_t before = path.size();
  const std::vector<std::uint32_t> children = children_of(tree, nodes);
  for (auto first = children.begin(); first != children.end();) {
    const std::string_view name = frame_of(tree, *first).name;
    const auto end = std::find_if(first, children.end(), [&](std::uint32_t node) {
      return frame_of(tree, node).name != name;
    });
    if (before != 0) path += ';';
    append_frame(path, view::shown_frame(frame_of(tree, *first)));
    append_lines(out, tree, {first, end}, path);
    path.resize(before);
    first = end;
  }
}

}  // namespace

std::string folded(const Picture& picture) {
  std::string out, path;
  const FrameTree& tree = picture.tree();
  append_lines(out, tree, std::array{FrameTree::kRoot}, path);
  if (picture.dropped != 0) out += fmt::format("[dropped] {}\n", picture.dropped);
  return out;
}

}  // namespace dt::exports

#include <fmt/core.h>

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

void append_lines(std::string& out, const FrameTree& tree, const FrameTree::Node& node,
                  std::string& path) {
  if (node.self != 0) {
    out += fmt::format("{} {}\n", path.empty() ? "[no frames]" : path, node.self);
  }
  const std::size_t before = path.size();
  for (const std::uint32_t child : tree.by_name(node)) {
    const FrameTree::Node& inner = tree.nodes()[child];
    if (before != 0) path += ';';
    append_frame(path, view::shown_frame(tree.frame(inner.frame)));
    append_lines(out, tree, inner, path);
    path.resize(before);
  }
}

}  // namespace

std::string folded(const Picture& picture) {
  std::string out, path;
  const FrameTree& tree = picture.tree();
  append_lines(out, tree, tree.nodes()[FrameTree::kRoot], path);
  if (picture.dropped != 0) out += fmt::format("[dropped] {}\n", picture.dropped);
  return out;
}

}  // namespace dt::exports

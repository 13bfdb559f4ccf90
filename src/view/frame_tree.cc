// See frame_tree.h.

#include "view/frame_tree.h"

#include <algorithm>

namespace dt::view {

std::uint32_t FrameTree::number(const Frame& frame) {
  const auto [at, is_new] = numbers_.try_emplace(frame, static_cast<std::uint32_t>(frames_.size()));
  if (is_new) frames_.push_back(&at->first);
  return at->second;
}

void FrameTree::add(std::span<const std::uint32_t> stack, std::int64_t weight) {
  std::uint32_t node = kRoot;
  for (const std::uint32_t frame : stack) {
    const auto next = static_cast<std::uint32_t>(nodes_.size());
    const auto [at, is_new] = child_.try_emplace(std::uint64_t{node} << 32 | frame, next);
    if (is_new) {
      nodes_.push_back({frame, node, 0, {}});
      nodes_[node].children.push_back(next);
    }
    node = at->second;
  }
  nodes_[node].self += weight;
}

std::vector<std::int64_t> FrameTree::totals() const {
  std::vector<std::int64_t> totals;
  totals.reserve(nodes_.size());
  for (const Node& node : nodes_) totals.push_back(node.self);
  for (std::size_t i = nodes_.size(); i-- > 1;) totals[nodes_[i].parent] += totals[i];
  return totals;
}

std::vector<std::uint32_t> FrameTree::by_name(const Node& node) const {
  std::vector<std::uint32_t> sorted = node.children;
  std::sort(sorted.begin(), sorted.end(), [this](std::uint32_t a, std::uint32_t b) {
    return frame(nodes_[a].frame) < frame(nodes_[b].frame);
  });
  return sorted;
}

}  // namespace dt::view

// See frame_tree.h.

#include "view/frame_tree.h"

#include <algorithm>

namespace dt::view {

std::uint32_t FrameTree::number(const Frame& frame) {
  const auto [at, is_new] = numbers_.try_emplace(frame, static_cast<std::uint32_t>(frames_.size()));
  if (is_new) frames_.push_back(&at->first);
  return at->second;
}

// The place of a node, or the free one where it would be.
std::uint32_t& FrameTree::place_of(std::uint32_t parent, std::uint32_t frame) {
  const std::size_t mask = places_.size() - 1;
  std::uint64_t hash = (std::uint64_t{parent} << 32 | frame) * 0x9e3779b97f4a7c15ULL;
  hash ^= hash >> 32;
  for (std::size_t at = hash & mask;; at = (at + 1) & mask) {
    const std::uint32_t node = places_[at];
    if (node == kRoot || (nodes_[node].parent == parent && nodes_[node].frame == frame))
      return places_[at];
  }
}

void FrameTree::grow() {
  constexpr std::size_t kFirst = 1024;
  std::vector<std::uint32_t> before;
  before.swap(places_);
  places_.assign(std::max(kFirst, 2 * before.size()), kRoot);
  for (const std::uint32_t node : before) {
    if (node != kRoot) place_of(nodes_[node].parent, nodes_[node].frame) = node;
  }
}

void FrameTree::add(std::span<const std::uint32_t> stack, std::int64_t weight) {
  std::uint32_t node = kRoot;
  for (const std::uint32_t frame : stack) {
    if (3 * nodes_.size() >= 2 * places_.size()) grow();
    std::uint32_t& place = place_of(node, frame);
    if (place == kRoot) {
      place = static_cast<std::uint32_t>(nodes_.size());
      nodes_.push_back({frame, node, 0, kRoot, nodes_[node].child});
      nodes_[node].child = place;
    }
    node = place;
  }
  nodes_[node].self += weight;
}

std::vector<std::uint32_t> FrameTree::children(const Node& node) const {
  std::vector<std::uint32_t> all;
  for (std::uint32_t child = node.child; child != kRoot; child = nodes_[child].next)
    all.push_back(child);
  return all;
}

std::vector<std::int64_t> FrameTree::totals() const {
  std::vector<std::int64_t> totals;
  totals.reserve(nodes_.size());
  for (const Node& node : nodes_) totals.push_back(node.self);
  for (std::size_t i = nodes_.size(); i-- > 1;) totals[nodes_[i].parent] += totals[i];
  return totals;
}

std::vector<std::uint32_t> FrameTree::by_name(const Node& node) const {
  std::vector<std::uint32_t> sorted = children(node);
  std::sort(sorted.begin(), sorted.end(), [this](std::uint32_t a, std::uint32_t b) {
    return frame(nodes_[a].frame) < frame(nodes_[b].frame);
  });
  return sorted;
}

}  // namespace dt::view

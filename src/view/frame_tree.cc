// See frame_tree.h.

#include "view/frame_tree.h"

#include <algorithm>

namespace dt::view {

std::uint32_t FrameTree::number(const Frame& frame) {
  const auto [at, is_new] = numbers_.try_emplace(frame, static_cast<std::uint32_t>(frames_.size()));
  if (is_new) frames_.push_back(&at->first);
  return at->second;
}

namespace {

std::uint64_t hash_of(std::uint32_t parent, std::uint32_t frame) {
  const std::uint64_t hash = (std::uint64_t{parent} << 32 | frame) * 0x9e3779b97f4a7c15ULL;
  return hash ^ hash >> 32;
}

}  // namespace

// All nodes are different, so a free place is all that is looked for.
void FrameTree::grow(std::size_t nodes) const {
  constexpr std::size_t kFirst = 1024;
  if (3 * nodes < 2 * places_.size()) return;
  std::size_t size = std::max(kFirst, places_.size());
  while (3 * nodes >= 2 * size) size *= 2;
  places_.clear();
  places_.shrink_to_fit();
  places_.assign(size, kRoot);
  const std::size_t mask = size - 1;
  for (std::uint32_t node = kRoot + 1; node < nodes_.size(); ++node) {
    std::size_t at = hash_of(nodes_[node].parent, nodes_[node].frame) & mask;
    while (places_[at] != kRoot) at = (at + 1) & mask;
    places_[at] = node;
  }
}

std::uint32_t FrameTree::find_or_add(const Waiting& stack) const {
  const std::uint32_t frame = waiting_frames_[stack.begin];
  const std::size_t mask = places_.size() - 1;
  for (std::size_t at = stack.place;; at = (at + 1) & mask) {
    std::uint32_t& node = places_[at];
    if (node == kRoot) {
      node = static_cast<std::uint32_t>(nodes_.size());
      nodes_.push_back({frame, stack.node, 0, kRoot, nodes_[stack.node].child});
      nodes_[stack.node].child = node;
      return node;
    }
    if (nodes_[node].parent == stack.node && nodes_[node].frame == frame) return node;
  }
}

// One frame of each stack. A large tree is in no cache: where the memory of all of them is asked
// for before the first is looked at, it comes at once, and not one after the other.
void FrameTree::place_level() const {
  const std::size_t mask = places_.size() - 1;
  for (Waiting& stack : waiting_) {
    stack.place = hash_of(stack.node, waiting_frames_[stack.begin]) & mask;
    __builtin_prefetch(&places_[stack.place], 1);
  }
  for (const Waiting& stack : waiting_) __builtin_prefetch(&nodes_[places_[stack.place]]);
  for (Waiting& stack : waiting_) {
    stack.node = find_or_add(stack);
    ++stack.begin;
  }
}

void FrameTree::settle() const {
  if (waiting_.empty()) return;
  grow(nodes_.size() + waiting_frames_.size());
  while (true) {
    std::erase_if(waiting_, [this](const Waiting& stack) {
      if (stack.begin != stack.end) return false;
      nodes_[stack.node].self += stack.weight;
      return true;
    });
    if (waiting_.empty()) break;
    place_level();
  }
  waiting_frames_.clear();
}

void FrameTree::add(std::span<const std::uint32_t> stack, std::int64_t weight) {
  constexpr std::size_t kMostWaiting = 512;
  const auto begin = static_cast<std::uint32_t>(waiting_frames_.size());
  waiting_frames_.insert(waiting_frames_.end(), stack.begin(), stack.end());
  waiting_.push_back({begin, static_cast<std::uint32_t>(waiting_frames_.size()), kRoot, 0, weight});
  if (waiting_.size() == kMostWaiting) settle();
}

std::vector<std::uint32_t> FrameTree::children(const Node& node) const {
  std::vector<std::uint32_t> all;
  for (std::uint32_t child = node.child; child != kRoot; child = nodes_[child].next)
    all.push_back(child);
  return all;
}

std::vector<std::int64_t> FrameTree::totals() const {
  settle();
  std::vector<std::int64_t> totals;
  totals.reserve(nodes_.size());
  for (std::size_t i = 0; i < nodes_.size(); ++i) totals.push_back(nodes_[i].self);
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

#pragma once
// Stacks with weights -> a tree of frames:
//
//     main;read  3             main 5 = 2 + 3
//     main       2      ->     `-- read 3

#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <span>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

namespace dt::view {

// What a frame is of.
enum class Code : std::uint8_t { kKey, kUser, kKernel };

struct Frame {
  std::string name;  // as it was recorded or found: not escaped
  Code code = Code::kKey;
  bool operator==(const Frame&) const = default;
  bool operator<(const Frame& other) const {
    return std::pair(std::string_view(name), code) <
           std::pair(std::string_view(other.name), other.code);
  }
};

class FrameTree {
 public:
  static constexpr std::uint32_t kRoot = 0;  // has no frame
  // A million stacks of 20 frames have 16 million of them.
  struct Node {
    std::uint32_t frame = 0;
    std::uint32_t parent = 0;
    std::int64_t self = 0;
    std::uint32_t child = kRoot;  // the latest; kRoot: it has none
    std::uint32_t next =
        kRoot;  // the child of the same parent that came before; kRoot: it is the first
  };
  static_assert(sizeof(Node) == 24);

  FrameTree() : nodes_(1) {}

  // The number of an equal frame.
  std::uint32_t number(const Frame& frame);
  // Frames from the outermost, by their numbers.
  void add(std::span<const std::uint32_t> stack, std::int64_t weight);

  const Frame& frame(std::uint32_t number) const { return *frames_[number]; }
  std::size_t frame_count() const { return frames_.size(); }
  // A parent stands before its children.
  const std::deque<Node>& nodes() const { return nodes_; }
  // The latest first.
  std::vector<std::uint32_t> children(const Node& node) const;
  // By node: its own weight and that of all below it.
  std::vector<std::int64_t> totals() const;
  // The children in the order of their frames' names.
  std::vector<std::uint32_t> by_name(const Node& node) const;

 private:
  struct FrameHash {
    std::size_t operator()(const Frame& frame) const noexcept {
      return std::hash<std::string>()(frame.name) + static_cast<std::size_t>(frame.code);
    }
  };
  std::uint32_t& place_of(std::uint32_t parent, std::uint32_t frame);
  void grow();

  std::unordered_map<Frame, std::uint32_t, FrameHash> numbers_;
  std::vector<const Frame*> frames_;  // in numbers_
  std::deque<Node> nodes_;            // grows without a copy
  // Nodes by parent and frame, kRoot where there is none: as many places as a power of two, a third
  // of them free at least.
  std::vector<std::uint32_t> places_;
};

}  // namespace dt::view

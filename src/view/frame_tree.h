#pragma once
// Stacks with weights -> a tree of frames:
//
//     main;read  3             main 5 = 2 + 3
//     main       2      ->     `-- read 3

#include <cstddef>
#include <cstdint>
#include <map>
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
  bool operator<(const Frame& other) const {
    return std::pair(std::string_view(name), code) <
           std::pair(std::string_view(other.name), other.code);
  }
};

class FrameTree {
 public:
  struct Node {
    std::uint32_t frame = 0;
    std::uint32_t parent = 0;
    std::int64_t self = 0;
    std::vector<std::uint32_t> children;  // in the order in which they came
  };
  static constexpr std::uint32_t kRoot = 0;  // has no frame

  FrameTree() : nodes_(1) {}

  // The number of an equal frame.
  std::uint32_t number(const Frame& frame);
  // Frames from the outermost, by their numbers.
  void add(std::span<const std::uint32_t> stack, std::int64_t weight);

  const Frame& frame(std::uint32_t number) const { return *frames_[number]; }
  std::size_t frame_count() const { return frames_.size(); }
  // A parent stands before its children.
  const std::vector<Node>& nodes() const { return nodes_; }
  // By node: its own weight and that of all below it.
  std::vector<std::int64_t> totals() const;
  // The children in the order of their frames' names.
  std::vector<std::uint32_t> by_name(const Node& node) const;

 private:
  std::map<Frame, std::uint32_t> numbers_;
  std::vector<const Frame*> frames_;  // in numbers_
  std::vector<Node> nodes_;
  std::unordered_map<std::uint64_t, std::uint32_t> child_;  // by parent << 32 | frame
};

}  // namespace dt::view

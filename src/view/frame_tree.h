#pragma once
// Stacks with weights -> a tree of frames:
//
//     main;read  3             main 5 = 2 + 3
//     main       2      ->     `-- read 3

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

namespace dt::view {

// What a frame is of. Code of a program is compiled (kUser), was inlined into its caller, is run by
// an interpreter, or was made by one at run time.
enum class Code : std::uint8_t { kKey, kUser, kInlined, kInterpreted, kJit, kKernel };

struct Frame {
  std::string name;  // as it was recorded or found: not escaped
  Code code = Code::kKey;
  bool operator==(const Frame&) const = default;
  bool operator<(const Frame& other) const {
    return std::pair(std::string_view(name), code) <
           std::pair(std::string_view(other.name), other.code);
  }
};

// What a picture calls a frame. A key can be an empty text, which would not be visible.
inline std::string_view shown_frame(const Frame& frame) {
  return frame.name.empty() ? "(empty)" : std::string_view(frame.name);
}

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

  // Grows without a copy.
  class Nodes {
   public:
    std::size_t size() const { return size_; }
    Node& operator[](std::size_t i) { return blocks_[i / kBlock][i % kBlock]; }
    const Node& operator[](std::size_t i) const { return blocks_[i / kBlock][i % kBlock]; }
    void push_back(const Node& node) {
      if (size_ % kBlock == 0) blocks_.push_back(std::make_unique<Node[]>(kBlock));
      (*this)[size_++] = node;
    }

   private:
    // The list of the blocks stays in the processor's cache; a small tree is small.
    static constexpr std::size_t kBlock = 4096;
    std::vector<std::unique_ptr<Node[]>> blocks_;
    std::size_t size_ = 0;
  };

  FrameTree() { nodes_.push_back({}); }

  // The number of an equal frame.
  std::uint32_t number(const Frame& frame);
  // Frames from the outermost, by their numbers.
  void add(std::span<const std::uint32_t> stack, std::int64_t weight);

  const Frame& frame(std::uint32_t number) const { return *frames_[number]; }
  // A parent stands before its children.
  const Nodes& nodes() const {
    settle();
    return nodes_;
  }
  // In no order.
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
  struct Waiting {                     // a stack that is not in the tree yet
    std::uint32_t begin = 0, end = 0;  // in waiting_frames_
    std::uint32_t node = kRoot;        // where it has come to
    std::size_t place = 0;             // where its next node may be
    std::int64_t weight = 0;
  };
  void settle() const;
  void place_level() const;
  std::uint32_t find_or_add(const Waiting& stack) const;
  void grow(std::size_t nodes) const;

  std::unordered_map<Frame, std::uint32_t, FrameHash> numbers_;
  std::vector<const Frame*> frames_;  // in numbers_
  // Stacks wait until there are many, or until the tree is looked at: to whom the rest is mutable.
  mutable std::vector<Waiting> waiting_;
  mutable std::vector<std::uint32_t> waiting_frames_;
  mutable Nodes nodes_;
  // Nodes by parent and frame, kRoot where there is none: as many places as a power of two, a third
  // of them free at least.
  mutable std::vector<std::uint32_t> places_;
};

}  // namespace dt::view

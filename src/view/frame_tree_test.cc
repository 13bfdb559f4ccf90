#include "view/frame_tree.h"

#include <fmt/core.h>
#include <gtest/gtest.h>

#include <map>
#include <vector>

namespace dt::view {
namespace {

class FrameTreeTest : public testing::Test {
 protected:
  void add(const std::vector<std::string>& names, std::int64_t weight) {
    std::vector<std::uint32_t> numbers;
    for (const std::string& name : names) numbers.push_back(tree_.number({name, Code::kUser}));
    tree_.add(numbers, weight);
  }
  // "main 5 2; read 3 3;": the name, all and its own.
  std::string text() const {
    const std::vector<std::int64_t> totals = tree_.totals();
    std::string out;
    for (std::uint32_t i = 1; i < tree_.nodes().size(); ++i) {
      const FrameTree::Node& node = tree_.nodes()[i];
      out += fmt::format("{} {} {}; ", tree_.frame(node.frame).name, totals[i], node.self);
    }
    return out + std::to_string(totals[FrameTree::kRoot]);
  }

  FrameTree tree_;
};

TEST_F(FrameTreeTest, AFrameHasWhatIsBelowIt) {
  add({"main", "read"}, 3);
  add({"main"}, 2);
  add({"main", "write", "read"}, 4);
  EXPECT_EQ(text(), "main 9 2; read 3 3; write 4 0; read 4 4; 9");
}

TEST_F(FrameTreeTest, AFrameThatCallsItselfIsTwo) {
  add({"f", "f", "f"}, 1);
  add({"f"}, 1);
  EXPECT_EQ(text(), "f 2 1; f 1 0; f 1 1; 2");
}

TEST_F(FrameTreeTest, WithoutFramesAllIsOfTheRoot) {
  add({}, 7);
  EXPECT_EQ(text(), "7");
}

TEST_F(FrameTreeTest, OneNameInUserAndKernelCodeIsTwoFrames) {
  EXPECT_NE(tree_.number({"read", Code::kUser}), tree_.number({"read", Code::kKernel}));
  EXPECT_EQ(tree_.number({"read", Code::kUser}), tree_.number({"read", Code::kUser}));
}

TEST_F(FrameTreeTest, ChildrenAreOrderedByName) {
  add({"b"}, 1);
  add({"c"}, 1);
  add({"a"}, 1);
  std::string names;
  for (const std::uint32_t child : tree_.by_name(tree_.nodes()[FrameTree::kRoot])) {
    names += tree_.frame(tree_.nodes()[child].frame).name;
  }
  EXPECT_EQ(names, "abc");
}

// Far more than there are places at first: each stack finds its nodes again, and no other ones.
TEST_F(FrameTreeTest, ManyStacksAreWhatAMapOfThemHas) {
  std::vector<std::uint32_t> numbers;
  for (int i = 0; i < 50; ++i)
    numbers.push_back(tree_.number({"f" + std::to_string(i), Code::kUser}));
  std::map<std::vector<std::uint32_t>, std::int64_t> wanted;
  std::uint32_t some = 1;
  const auto random = [&some](std::uint32_t below) {
    some = some * 1664525 + 1013904223;
    return (some >> 16) % below;
  };
  const auto total = [](const auto& stacks) {
    std::int64_t sum = 0;
    for (const auto& [stack, weight] : stacks) sum += weight;
    return sum;
  };
  for (int i = 0; i < 20'000; ++i) {
    std::vector<std::uint32_t> stack(1 + random(6));
    for (std::uint32_t& frame : stack) frame = numbers[random(50)];
    const std::int64_t weight = 1 + random(9);
    tree_.add(stack, weight);
    wanted[stack] += weight;
    // Who looks in between sees what there is.
    if (i == 700) {
      EXPECT_EQ(tree_.totals().front(), total(wanted));
    }
  }
  std::map<std::vector<std::uint32_t>, std::int64_t> got;
  std::size_t children = 0;
  for (std::uint32_t i = 1; i < tree_.nodes().size(); ++i) {
    const FrameTree::Node& node = tree_.nodes()[i];
    children += tree_.children(node).size();
    if (node.self == 0) continue;
    std::vector<std::uint32_t> stack;
    for (std::uint32_t at = i; at != FrameTree::kRoot; at = tree_.nodes()[at].parent) {
      stack.insert(stack.begin(), tree_.nodes()[at].frame);
    }
    EXPECT_TRUE(got.emplace(stack, node.self).second);
  }
  EXPECT_EQ(got, wanted);
  children += tree_.children(tree_.nodes()[FrameTree::kRoot]).size();
  EXPECT_EQ(children, tree_.nodes().size() - 1);
}

}  // namespace
}  // namespace dt::view

#include "stap/meaning/point_tree.h"

#include <gtest/gtest.h>

#include <string>
#include <string_view>

namespace dt::stap {
namespace {

Component word(std::string name) {
  Component out;
  out.name = std::move(name);
  return out;
}

Component with(std::string name, std::int64_t number) {
  Component out = word(std::move(name));
  out.has_argument = true;
  out.number = number;
  return out;
}

Component with(std::string name, std::string text) {
  Component out = word(std::move(name));
  out.has_argument = out.is_string = true;
  out.argument = std::move(text);
  return out;
}

template <typename... Words>
std::string misfit(const PointTree& tree, Words... words) {
  ProbePoint point;
  (point.components.push_back(words), ...);
  const auto out = tree.misfit(point);
  return out ? std::to_string(out->component) + ": " + out->text : "";
}

TEST(PointTree, PointsOfTheLanguageFit) {
  const PointTree tree;
  EXPECT_EQ(misfit(tree, word("begin")), "");
  EXPECT_EQ(misfit(tree, with("begin", -5)), "");
  EXPECT_EQ(misfit(tree, word("timer"), with("s", 1), with("randomize", 1)), "");
  EXPECT_EQ(misfit(tree, word("syscall"), word("open"), word("return")), "");
  EXPECT_EQ(misfit(tree, with("process", "a"), with("library", "b"), with("function", "c"),
                   word("return")),
            "");
  EXPECT_EQ(misfit(tree, with("procfs", "a"), with("maxsize", 5), word("read"), with("umask", 0)),
            "");
}

TEST(PointTree, AWordThatDoesNotFitHasTheWordsThatDo) {
  const PointTree tree;
  EXPECT_EQ(misfit(tree, word("timer"), with("foo", 1)),
            "1: probe point mismatch (similar: s, hz, ms, ns, us)");
  EXPECT_EQ(misfit(tree, word("kernel"), word("foo")),
            "1: probe point mismatch (similar: data, mark, trace, function, "
            "statement)");
  EXPECT_EQ(misfit(tree, word("kernel"), word("f*")),
            "1: probe point mismatch: didn't find any wildcard matches "
            "(similar: data, mark, trace, "
            "function, statement)");
  EXPECT_EQ(misfit(tree, with("process", "a"), word("foo")),
            "1: probe point mismatch (similar: end, plt, insn, mark, begin)");
}

TEST(PointTree, WhatIsInTheParenthesesIsPartOfAWord) {
  const PointTree tree;
  EXPECT_EQ(misfit(tree, with("procfs", "x"), with("umask", "a"), word("read")),
            "1: probe point mismatch (similar: umask, read, write)");
  EXPECT_EQ(misfit(tree, word("timer"), word("s")),
            "1: probe point mismatch (similar: s, ms, ns, us, hz)");
}

TEST(PointTree, BehindAPointAnotherWordIsNoSuffix) {
  const PointTree tree;
  EXPECT_EQ(misfit(tree, word("timer"), with("s", 1), word("foo")), "2: invalid suffix for probe");
  EXPECT_EQ(misfit(tree, word("begin"), word("x")), "1: invalid suffix for probe");
}

TEST(PointTree, OfAnUnfinishedPointWhatMayFollowIsListed) {
  PointTree tree;
  EXPECT_EQ(misfit(tree, with("process", "a"), word("thread")),
            "1: probe point truncated (follow:  begin end)");
  EXPECT_EQ(misfit(tree, with("procfs", "a")),
            "0: probe point truncated (follow:  read umask(number) write)");
  tree.add_alias("a.b");
  EXPECT_EQ(misfit(tree, word("a")), "0: probe point truncated (follow:  b)");
  EXPECT_EQ(misfit(tree, word("a"), word("c")), "1: probe point mismatch (similar: b)");
}

}  // namespace
}  // namespace dt::stap

// How many files are held for the source of code, and what several objects share.

#include "symbol/dwarf/object_sources.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <unistd.h>

namespace dt::symbol {
namespace {

ObjectSources::Key key(std::uint64_t number) { return {number, 0, 0, 0}; }

TEST(ObjectSources, OnlySoManyFilesAreHeldOpen) {
  const Fd fd(::open("/proc/self/exe", O_RDONLY | O_CLOEXEC));
  ASSERT_TRUE(fd.valid());
  constexpr std::size_t kMostFiles = 8;
  ObjectSources sources(kMostFiles);
  for (std::uint64_t i = 0; i < 100; ++i) {
    sources.add(key(i), fd, "/proc/self/exe", "", nullptr);
  }
  std::size_t held = 0;
  for (std::uint64_t i = 0; i < 100; ++i) held += sources.find(key(i)) != nullptr ? 1 : 0;
  EXPECT_GE(held, 1U);
  EXPECT_LE(held, kMostFiles);
  EXPECT_NE(sources.find(key(99)), nullptr) << "the latest one stays";
}

TEST(ObjectSources, OneFileOfLinesServesAllObjectsThatHaveIt) {
  const Fd fd(::open("/proc/self/exe", O_RDONLY | O_CLOEXEC));
  ObjectSources sources(64);
  const auto one = sources.add(key(1), fd, "/proc/self/exe", "", nullptr);
  const auto two = sources.add(key(2), fd, "/proc/self/exe", "", nullptr);
  EXPECT_NE(one.code, nullptr);
  EXPECT_EQ(one.lines, two.lines);
}

TEST(ObjectSources, WhatIsNoElfFileHasNoSource) {
  const Fd fd(::open("/proc/self/maps", O_RDONLY | O_CLOEXEC));
  ObjectSources sources(64);
  ObjectSources::Object& object = sources.add(key(1), fd, "/proc/self/maps", "", nullptr);
  EXPECT_TRUE(sources.source(object, 0x1000, {true, true}).empty());
  EXPECT_FALSE(ObjectSources::is_signal_return(object, 0));
}

}  // namespace
}  // namespace dt::symbol

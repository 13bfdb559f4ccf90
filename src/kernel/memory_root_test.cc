// Reading the running kernel's memory.

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <fstream>
#include <string>

#include "kernel/memory.h"
#include "kernel/words.h"

namespace dt::kernel {
namespace {

TEST(KernelMemoryRoot, CodeIsReadAndNothingIsNot) {
  std::ifstream symbols("/proc/kallsyms");
  std::uint64_t begin = 0;
  for (std::string line; std::getline(symbols, line) && begin == 0;) {
    if (line.ends_with(" T vfs_read")) begin = std::stoull(line, nullptr, 16);
  }
  if (begin == 0) GTEST_SKIP() << "/proc/kallsyms hides the address of vfs_read";
  const auto kernel = linux_kernel();
  auto memory = KernelMemory::open(*kernel);
  ASSERT_TRUE(memory.ok()) << memory.error().text;
  std::array<std::uint8_t, 64> once = {}, again = {};
  const Status read = memory->read(begin, once);
  ASSERT_TRUE(read.ok()) << read.error().text;
  EXPECT_TRUE(std::any_of(once.begin(), once.end(), [](std::uint8_t byte) { return byte != 0; }));
  ASSERT_TRUE(memory->read(begin, again).ok());
  EXPECT_EQ(once, again);
  EXPECT_FALSE(memory->read(16, once).ok());

  const std::array<std::uint64_t, 3> places = {begin, 16, begin + 4};
  std::array<std::uint32_t, 3> words = {}, bytes = {};
  const Status batch = read_words(*kernel, places, words);
  ASSERT_TRUE(batch.ok()) << batch.error().text << batch.error().log;
  std::memcpy(&bytes[0], once.data(), 4);
  std::memcpy(&bytes[2], once.data() + 4, 4);
  EXPECT_EQ(words, bytes);
}

}  // namespace
}  // namespace dt::kernel

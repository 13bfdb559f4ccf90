// Reading words of the kernel's memory, with a kernel that answers.

#include "kernel/words.h"

#include <gtest/gtest.h>

#include <array>
#include <cerrno>
#include <cstring>
#include <vector>

#include "testing/kernel/fake.h"

namespace dt::kernel {
namespace {

TEST(KernelWords, AreReadInBatches) {
  FakeKernel kernel;
  int runs = 0;
  kernel.on_run = [&](const std::string& program, std::span<const std::uint64_t>) {
    EXPECT_EQ(program, "dt_words");
    ++runs;
    std::array<std::uint64_t, kWordsAtOnce> words;
    std::memcpy(words.data(), kernel.memory(program), sizeof words);
    for (std::uint64_t& word : words) word = word * 3 & 0xffffffff;
    std::memcpy(kernel.memory(program), words.data(), sizeof words);
    return 0U;
  };
  std::vector<std::uint64_t> addresses;
  for (std::uint64_t i = 0; i < 600; ++i) addresses.push_back(0xffffffff81000000 + i);
  std::vector<std::uint32_t> words(addresses.size());
  ASSERT_TRUE(read_words(kernel, addresses, words).ok());
  EXPECT_EQ(runs, 3);
  for (std::size_t i = 0; i < words.size(); ++i) {
    ASSERT_EQ(words[i], static_cast<std::uint32_t>(addresses[i] * 3)) << i;
  }
}

TEST(KernelWords, ARefusedProgramIsAnError) {
  FakeKernel kernel;
  kernel.fail(FakeKernel::Call::kLoadProgram, 1, EPERM);
  const std::array<std::uint64_t, 1> address = {0x10};
  std::array<std::uint32_t, 1> word = {};
  EXPECT_FALSE(read_words(kernel, address, word).ok());
}

}  // namespace
}  // namespace dt::kernel

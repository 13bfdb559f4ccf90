// Reading the kernel's memory in pieces, with a kernel that answers.

#include "kernel/memory.h"

#include <gtest/gtest.h>

#include <array>

#include "testing/kernel/fake.h"

namespace dt::kernel {
namespace {

TEST(KernelMemory, IsReadPageByPage) {
  FakeKernel kernel;
  std::vector<std::pair<std::uint64_t, std::uint64_t>> asked;
  kernel.on_run = [&](const std::string& program, std::span<const std::uint64_t> args) {
    EXPECT_EQ(program, "dt_memory");
    asked.emplace_back(args[0], args[1]);
    std::uint8_t* const page = kernel.memory("dt_memory");
    for (std::size_t i = 0; i < args[1]; ++i) page[i] = static_cast<std::uint8_t>(args[0] + i);
    return 0U;
  };
  auto memory = KernelMemory::open(kernel);
  ASSERT_TRUE(memory.ok());
  std::array<std::uint8_t, 5000> bytes = {};
  ASSERT_TRUE(memory->read(0x1ff0, bytes).ok());
  EXPECT_EQ(asked, (std::vector<std::pair<std::uint64_t, std::uint64_t>>{
                       {0x1ff0, 16}, {0x2000, 4096}, {0x3000, 888}}));
  for (std::size_t i = 0; i < bytes.size(); ++i) {
    ASSERT_EQ(bytes[i], static_cast<std::uint8_t>(0x1ff0 + i)) << i;
  }
}

TEST(KernelMemory, WhatCannotBeReadIsAnError) {
  FakeKernel kernel;
  kernel.on_run = [](const std::string&, std::span<const std::uint64_t>) { return ~0U; };
  auto memory = KernelMemory::open(kernel);
  ASSERT_TRUE(memory.ok());
  std::array<std::uint8_t, 4> bytes = {};
  const Status status = memory->read(0x10, bytes);
  ASSERT_FALSE(status.ok());
  EXPECT_EQ(status.error().text, "the kernel's memory at 0x10 cannot be read");
}

}  // namespace
}  // namespace dt::kernel

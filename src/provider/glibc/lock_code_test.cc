// What is found in the glibc of this very program.

#include "provider/glibc/lock_code.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>

namespace dt::provider {
namespace {

std::unique_ptr<Image> glibc() {
  const auto objects = symbol::objects_of(::getpid());
  if (!objects.ok()) return nullptr;
  for (const symbol::ProcessObject& object : *objects) {
    if (!symbol::is_called(object, "libc")) continue;
    auto image = Image::open(object);
    if (image.ok() && is_glibc(**image)) return std::move(*image);
  }
  return nullptr;
}

TEST(LockCode, EachFunctionOfThisGlibcBeginsAndReturns) {
  const std::unique_ptr<Image> image = glibc();
  if (image == nullptr) GTEST_SKIP() << "this program's C library is not glibc";
  const Result<LockCode> code = lock_code(*image);
  ASSERT_TRUE(code.ok()) << code.error().text;
  for (std::size_t i = 0; i < kLockFunctions.size(); ++i) {
    const CallSites& function = code->functions[i];
    EXPECT_FALSE(function.returns.empty()) << kLockFunctions[i].name;
    for (const std::uint64_t offset : function.returns) {
      std::uint8_t bytes[2] = {};
      ASSERT_TRUE(image->elf().read(offset, bytes, sizeof bytes));
      EXPECT_TRUE(bytes[0] == 0xc3 || (bytes[0] == 0xf3 && bytes[1] == 0xc3))
          << kLockFunctions[i].name;
    }
  }
}

TEST(LockCode, WhatWaitsStandsBeforeASystemCall) {
  const std::unique_ptr<Image> image = glibc();
  if (image == nullptr) GTEST_SKIP() << "this program's C library is not glibc";
  const Result<LockCode> code = lock_code(*image);
  ASSERT_TRUE(code.ok()) << code.error().text;
  EXPECT_FALSE(code->waits.empty());
  for (const LockCode::Wait& wait : code->waits) {
    std::uint8_t bytes[17] = {};
    ASSERT_TRUE(image->elf().read(wait.offset, bytes, sizeof bytes));
    const std::uint8_t syscall[] = {0x0f, 0x05};
    EXPECT_NE(std::search(bytes, std::end(bytes), syscall, std::end(syscall)), std::end(bytes));
  }
}

}  // namespace
}  // namespace dt::provider

// What is known of a system call before it is made.

#include "machine/x86_64/system_calls.h"

#include <gtest/gtest.h>

namespace dt::machine {
namespace {

using Bytes = std::vector<std::uint8_t>;

SystemCall only(const Bytes& code) {
  const auto calls = system_calls(code);
  EXPECT_TRUE(calls.ok() && calls->size() == 1);
  return calls.ok() && calls->size() == 1 ? (*calls)[0] : SystemCall{};
}

TEST(SystemCalls, TheLastInstructionMayChangeTheSecondArgumentInAWayThatIsTold) {
  // mov $0xca,%eax
  EXPECT_EQ(only({0xb8, 0xca, 0, 0, 0, 0x0f, 0x05, 0xc3}), (SystemCall{0, true, 0xff, 0}));
  // xor $0x81,%sil
  EXPECT_EQ(only({0x90, 0x40, 0x80, 0xf6, 0x81, 0x0f, 0x05}), (SystemCall{1, true, 0xff, 0x81}));
  // and $0x80,%esi
  EXPECT_EQ(only({0x81, 0xe6, 0x80, 0, 0, 0, 0x0f, 0x05}), (SystemCall{0, true, 0x80, 0}));
  // mov $0x7,%esi
  EXPECT_EQ(only({0xbe, 7, 0, 0, 0, 0x0f, 0x05}), (SystemCall{0, true, 0, 7}));
}

TEST(SystemCalls, WhatTheCodeDoesNotShowIsSaid) {
  EXPECT_FALSE(only({0x48, 0x89, 0xdf, 0x0f, 0x05}).is_known);     // mov %rbx,%rdi
  EXPECT_FALSE(only({0x89, 0xee, 0x0f, 0x05}).is_known);           // mov %ebp,%esi
  EXPECT_FALSE(only({0x40, 0x80, 0xc6, 1, 0x0f, 0x05}).is_known);  // add $1,%sil
  // jne to the system call
  EXPECT_FALSE(only({0x75, 5, 0xb8, 0xca, 0, 0, 0, 0x0f, 0x05}).is_known);
  EXPECT_FALSE(only({0xe8, 0, 0, 0, 0, 0x0f, 0x05}).is_known);  // a call
}

TEST(SystemCalls, BytesThatAreNoInstructionAreAnError) {
  EXPECT_FALSE(system_calls(Bytes{0x90, 0x06, 0x0f, 0x05}).ok());
}

}  // namespace
}  // namespace dt::machine

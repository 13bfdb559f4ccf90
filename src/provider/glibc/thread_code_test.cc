// What code shows of threads, in the ways in which compilers have made it.

#include "provider/glibc/thread_code.h"

#include <gtest/gtest.h>

#include <limits>

namespace dt::provider {
namespace {

GlibcCode::Code code_of(std::vector<std::uint8_t> bytes) {
  GlibcCode::Code code;
  code.address = 0x1000;
  code.bytes = std::move(bytes);
  auto all = machine::decode_to(code.bytes, std::numeric_limits<std::uint32_t>::max());
  EXPECT_TRUE(all.ok());
  if (all.ok()) code.instructions = std::move(*all);
  return code;
}

// 2.36: by way of memory, for C11's threads and others.
const std::vector<std::uint8_t> kByMemory = {
    0x75, 0x18,                                      //  0 jne 26
    0x48, 0x8b, 0xbb, 0x40, 0x06, 0,    0,           //  2 mov 0x640(%rbx),%rdi
    0xff, 0x93, 0x38, 0x06, 0,    0,                 //  9 call *0x638(%rbx)
    0x48, 0x98,                                      // 15 cltq
    0x64, 0x48, 0x89, 0x04, 0x25, 0x28, 0x06, 0, 0,  // 17 mov %rax,%fs:0x628
    0xe8, 0,    0,    0,    0,    0xc3,              // 26 call; ret
    0x48, 0x8b, 0xb8, 0x40, 0x06, 0,    0,           // 32 mov 0x640(%rax),%rdi
    0xff, 0x90, 0x38, 0x06, 0,    0,                 // 39 call *0x638(%rax)
    0xeb, 0xe2,                                      // 45 jmp 17
};

TEST(ThreadCode, TheRoutineIsCalledByWayOfMemory) {
  const auto body = thread_body(code_of(kByMemory));
  ASSERT_TRUE(body);
  EXPECT_EQ(body->calls, (std::vector<std::uint32_t>{9, 39}));
  EXPECT_EQ(body->end, 26U);
  EXPECT_EQ(body->routine_at, 0x638U);
  EXPECT_EQ(body->value_at, 0x628U);
}

// 2.41: by way of a register, which has been loaded before the code parts.
TEST(ThreadCode, TheRoutineIsCalledByWayOfARegister) {
  const auto body = thread_body(code_of({
      0x75, 0x1d,                                      //  0 jne 31
      0x49, 0x8b, 0x81, 0x38, 0x06, 0,    0,           //  2 mov 0x638(%r9),%rax
      0x49, 0x8b, 0xb9, 0x40, 0x06, 0,    0,           //  9 mov 0x640(%r9),%rdi
      0x74, 0x13,                                      // 16 je 37
      0xff, 0xd0,                                      // 18 call *%rax
      0x48, 0x98,                                      // 20 cltq
      0x64, 0x48, 0x89, 0x04, 0x25, 0x28, 0x06, 0, 0,  // 22 mov %rax,%fs:0x628
      0xe8, 0,    0,    0,    0,    0xc3,              // 31 call; ret
      0xff, 0xd0,                                      // 37 call *%rax
      0xeb, 0xed,                                      // 39 jmp 22
      0xff, 0xd0, 0xc3,                                // 41 call *%rax; ret: another
  }));
  ASSERT_TRUE(body);
  EXPECT_EQ(body->calls, (std::vector<std::uint32_t>{18, 37}));
  EXPECT_EQ(body->end, 31U);
  EXPECT_EQ(body->routine_at, 0x638U);
  EXPECT_EQ(body->value_at, 0x628U);
}

TEST(ThreadCode, WhatIsNotLikeThatIsNotWhatThreadsRun) {
  std::vector<std::uint8_t> other = kByMemory;
  other[5] = 0x48;  // the first argument is not behind the routine
  other[35] = 0x48;
  EXPECT_FALSE(thread_body(code_of(other)));
  other = kByMemory;
  other[22] = 0x30;  // kept elsewhere, but by both
  ASSERT_TRUE(thread_body(code_of(other)));
  EXPECT_EQ(thread_body(code_of(other))->value_at, 0x630U);
  other = kByMemory;
  other[0] = 0x90;  // nothing branches to the end
  other[1] = 0x90;
  EXPECT_FALSE(thread_body(code_of(other)));
  EXPECT_FALSE(thread_body(code_of({0xc3})));
  EXPECT_FALSE(thread_body(code_of({})));
}

TEST(ThreadCode, AfterLongjmpTheCodeGoesOnWhereItBranches) {
  const std::vector<std::uint8_t> plain = {0xe8, 0xfb, 0xff, 0, 0,  //  0 call 0x11000
                                           0x85, 0xc0,              //  5 test %eax,%eax
                                           0x75, 0x01,              //  7 jne 10
                                           0xc3, 0x90, 0xc3};       //  9 ret; nop; ret
  EXPECT_EQ(after_longjmp(code_of(plain), {0x11000}), 10U);
  EXPECT_EQ(after_longjmp(code_of(plain), {0x12000}), std::nullopt);
  std::vector<std::uint8_t> guarded = plain;
  const std::vector<std::uint8_t> endbr64 = {0xf3, 0x0f, 0x1e, 0xfa};
  guarded.insert(guarded.begin() + 5, endbr64.begin(), endbr64.end());
  EXPECT_EQ(after_longjmp(code_of(guarded), {0x11000}), 14U);
}

TEST(ThreadCode, AnErrorIsKeptRelativeToTheThread) {
  const auto far = error_number_of(code_of({
      0x48, 0x8b, 0x15, 0x10, 0, 0, 0,  // mov 0x10(%rip),%rdx
      0x64, 0x89, 0x02, 0xc3,           // mov %eax,%fs:(%rdx); ret
  }));
  ASSERT_TRUE(far);
  EXPECT_EQ(far->address, 0x1017U);
  const auto near = error_number_of(code_of({
      0x48, 0xc7, 0xc2, 0xb0, 0xff, 0xff, 0xff,  // mov $-0x50,%rdx
      0x64, 0xc7, 0x02, 0x16, 0, 0, 0, 0xc3,     // movl $0x16,%fs:(%rdx); ret
  }));
  ASSERT_TRUE(near);
  EXPECT_EQ(near->address, std::nullopt);
  EXPECT_EQ(near->offset, -0x50);
  // Another register than the one that is loaded.
  EXPECT_FALSE(error_number_of(code_of({0x48, 0x8b, 0x15, 0x10, 0, 0, 0, 0x64, 0x89, 0x01, 0xc3})));
}

}  // namespace
}  // namespace dt::provider

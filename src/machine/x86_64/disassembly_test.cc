// Instructions as text.

#include "machine/x86_64/disassembly.h"

#include <gtest/gtest.h>

#include <vector>

namespace dt::machine {
namespace {

std::string text(std::vector<std::uint8_t> code, const NameOfAddress& name = {}) {
  return disassemble(code, 0xffffffff81000000, name);
}

TEST(Disassembly, IsWrittenAsAssemblersOfThisSystemDo) {
  EXPECT_EQ(text({0x41, 0x57}), "push %r15");
  EXPECT_EQ(text({0x48, 0x89, 0xfb}), "mov %rdi, %rbx");
  EXPECT_EQ(text({0x48, 0x83, 0xec, 0x68}), "sub $0x68, %rsp");
  EXPECT_EQ(text({0x8b, 0x47, 0x44}), "mov 0x44(%rdi), %eax");
  EXPECT_EQ(text({0x48, 0x0d, 0xff, 0x0f, 0x00, 0x00}), "or $0xfff, %rax");
}

TEST(Disassembly, AddressesHaveNamesWhereTheyAreKnown) {
  const std::vector<std::uint8_t> call = {0xe8, 0xfb, 0x00, 0x00, 0x00};
  EXPECT_EQ(text(call), "call 0xffffffff81000100");
  EXPECT_EQ(text(call, [](std::uint64_t) { return std::string(); }), "call 0xffffffff81000100");
  EXPECT_EQ(text(call,
                 [](std::uint64_t address) {
                   return address == 0xffffffff81000100 ? "vfs_read" : "wrong";
                 }),
            "call vfs_read");
}

TEST(Disassembly, WhatIsNoInstructionHasNoText) {
  EXPECT_EQ(text({0x06}), "");
  EXPECT_EQ(text({0xe8, 0x00}), "");
  EXPECT_EQ(text({}), "");
}

}  // namespace
}  // namespace dt::machine

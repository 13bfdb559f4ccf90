// Where control leaves a function, and where a breakpoint may stand in it.

#include "machine/x86_64/instructions.h"

#include <gtest/gtest.h>

namespace dt::machine {
namespace {

using Code = std::vector<std::uint8_t>;
using Flow = Instruction::Flow;

const Code kEndbr = {0xf3, 0x0f, 0x1e, 0xfa};
const Code kNop = {0x0f, 0x1f, 0x44, 0x00, 0x00};

Code operator+(Code a, const Code& b) {
  a.insert(a.end(), b.begin(), b.end());
  return a;
}

TEST(Instructions, TellWhereControlGoes) {
  // test; je +3; call +0; ret; jmp -0x20; jmp *(%rip); jmp *%rax
  const Code code = Code{0x48, 0x85, 0xff} + Code{0x74, 0x06} + Code{0xe8, 0, 0, 0, 0} +
                    Code{0xc3} + Code{0xeb, 0xe0} + Code{0xff, 0x25, 0, 0, 0, 0} + Code{0xff, 0xe0};
  const auto all = decode(code);
  ASSERT_TRUE(all.ok());
  const struct {
    std::uint32_t offset;
    Flow flow;
  } wanted[] = {{0, Flow::kNext},  {3, Flow::kBranch}, {5, Flow::kOther}, {10, Flow::kReturn},
                {11, Flow::kJump}, {13, Flow::kJump},  {19, Flow::kOther}};
  ASSERT_EQ(all->size(), std::size(wanted));
  for (std::size_t i = 0; i < std::size(wanted); ++i) {
    EXPECT_EQ((*all)[i].offset, wanted[i].offset);
    EXPECT_EQ((*all)[i].flow, wanted[i].flow) << wanted[i].offset;
  }
  EXPECT_EQ((*all)[1].target, 11);
  EXPECT_EQ((*all)[4].target, 13 - 0x20);
  EXPECT_LT((*all)[5].target, 0);  // to what a word of memory says: another function
}

TEST(Instructions, DataAmongTheCodeAreNoticed) {
  EXPECT_EQ(decode(Code{0x90, 0x06, 0x90}).error().text, "what is at offset 0x1 is no instruction");
  // jmp +1 into mov $imm32
  EXPECT_EQ(decode(Code{0xeb, 0x01, 0xb8, 0x90, 0x90, 0x90, 0xc3}).error().text,
            "a jump at offset 0x0 leads into the middle of an instruction");
}

TEST(Instructions, AnEntryOfGoIsProbedBehindTheCheckOfItsStack) {
  const Code check = {0x49, 0x3b, 0x66, 0x10};      // cmp 0x10(%r14), %rsp
  const Code frame = {0x48, 0x83, 0xec, 0x18};      // sub $0x18, %rsp
  const Code more = {0x48, 0x89, 0x44, 0x24, 0x08,  // mov %rax, 8(%rsp)
                     0xe8, 0,    0,    0,    0};    // call
  const auto back = [](int from) {
    return Code{0xeb, static_cast<std::uint8_t>(-from - 2)};  // jmp to the start
  };
  const Code branch = {0x76, 5};  // jbe
  const struct {
    const char* what;
    Code code;
    std::optional<std::uint32_t> site;
  } table[] = {
      {"one comparison", check + branch + frame + Code{0xc3} + more + back(21), 6},
      // Of a large frame: where it would end below 0, and where it ends.
      {"two comparisons",
       Code{0x49, 0x89, 0xe4, 0x72, 0x0b} + check + branch + frame + Code{0xc3} + more + back(26),
       11},
      {"none", frame + Code{0xc3}, 0},
      {"a branch to what goes on elsewhere",
       check + branch + frame + Code{0xc3} + more + Code{0xeb, 0x10}, 0},
      {"a loop, which calls nothing", check + branch + frame + Code{0xc3, 0x90} + back(12), 0},
      {"a loop behind the comparison",
       check + branch + Code{0x53, 0xeb, 0xfd, 0x90, 0x90} + more + back(21), std::nullopt},
      {"such a branch without an end", check + branch, 0},
  };
  for (const auto& one : table) {
    EXPECT_EQ(entry_site(one.code, true), one.site) << one.what;
    EXPECT_EQ(entry_site(one.code), 0U) << one.what;  // of C
  }
}

TEST(Instructions, AnEntryIsProbedWhereItIsCheapAndSafe) {
  const Code push = {0x53, 0xc3}, mov = {0x48, 0x89, 0xe5, 0xc3};
  const struct {
    const char* what;
    Code code;
    std::optional<std::uint32_t> site;
  } table[] = {
      {"push", push, 0},
      {"endbr64; push: the push is emulated", kEndbr + push, 4},
      {"endbr64; mov: either is single-stepped", kEndbr + mov, 0},
      {"endbr64; push, to which a loop comes back", kEndbr + Code{0x53, 0xeb, 0xfd}, 0},
      {"a nop of five bytes", kNop + mov, 5},
      {"endbr64 and such a nop", kEndbr + kNop + push, 9},
      {"two such nops", kNop + kNop + push, 10},
      {"nothing but such a nop", kNop, std::nullopt},
      {"such a nop, behind which a loop begins", kNop + Code{0x53, 0xeb, 0xfd}, std::nullopt},
      {"vmovd %esi, %xmm0", Code{0xc5, 0xf9, 0x6e, 0xc6, 0xc3}, 4},
      {"vpbroadcastb %esi, %ymm16", Code{0x62, 0xe2, 0x7d, 0x28, 0x7a, 0xc6, 0xc3}, 6},
      {"vmovd %xmm0, %esi", Code{0xc5, 0xf9, 0x7e, 0xc6, 0xc3}, std::nullopt},
      {"vptest, which sets flags", Code{0xc4, 0xe2, 0x79, 0x17, 0xc0, 0xc3}, std::nullopt},
      {"lock", Code{0xf0, 0xff, 0x07, 0xc3}, std::nullopt},
      {"a prefix of a segment", Code{0x2e, 0x90}, std::nullopt},
      {"int3", Code{0xcc}, std::nullopt},
      {"xchg %r8, %rax, which Linux takes for a nop", Code{0x49, 0x90, 0xc3}, std::nullopt},
      {"xchg %r8d, %eax", Code{0x41, 0x90, 0xc3}, std::nullopt},
      {"xchg %r9, %rax", Code{0x49, 0x91, 0xc3}, 0},
      {"pause", Code{0xf3, 0x90, 0xc3}, 0},
      {"nothing", {}, std::nullopt},
  };
  for (const auto& one : table) EXPECT_EQ(entry_site(one.code), one.site) << one.what;
}

}  // namespace
}  // namespace dt::machine

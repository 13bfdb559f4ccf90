// Notes of sys/sdt.h, well-formed and not.

#include "symbol/elf/usdt_notes.h"

#include <gtest/gtest.h>

namespace dt::symbol {
namespace {

using Kind = UsdtOperand::Kind;

UsdtOperand one(std::string_view text) {
  const auto all = parse_usdt_operands(text);
  EXPECT_EQ(all.size(), 1U) << text;
  return all.at(0);
}

TEST(UsdtOperands, AreWhatTheAssemblerSays) {
  const auto none = UsdtOperand::kNone;
  const struct {
    const char* text;
    UsdtOperand wanted;
  } table[] = {
      {"8@%rdi", {Kind::kRegister, 8, false, false, 7}},
      {"-4@%edi", {Kind::kRegister, 4, true, false, 7}},
      {"2@%r11w", {Kind::kRegister, 2, false, false, 11}},
      {"1@%sil", {Kind::kRegister, 1, false, false, 6}},
      {"-1@%bh", {Kind::kRegister, 1, true, false, 3, none, true}},
      {"%rax", {Kind::kRegister, 8, false, false, 0}},
      {"4@$5", {Kind::kConstant, 4, false, false, none, none, false, 1, 5}},
      {"-4@$-1", {Kind::kConstant, 4, true, false, none, none, false, 1, -1}},
      {"8@$0x10", {Kind::kConstant, 8, false, false, none, none, false, 1, 16}},
      {"8@(%rsp)", {Kind::kMemory, 8, false, false, 4}},
      {"-4@-20(%rbp)", {Kind::kMemory, 4, true, false, 5, none, false, 1, -20}},
      {"8@8(%rax,%r10,4)", {Kind::kMemory, 8, false, false, 0, 10, false, 4, 8}},
      {"8@(%rbx,%rcx)", {Kind::kMemory, 8, false, false, 3, 1}},
      {"4@0x20(,%rdx,8)", {Kind::kMemory, 4, false, false, none, 2, false, 8, 32}},
      {"4@counter(%rip)", {Kind::kSymbol, 4, false, false, none, none, false, 1, 0, "counter"}},
      {"4@16+counter(%rip)", {Kind::kSymbol, 4, false, false, none, none, false, 1, 16, "counter"}},
      {"4@counter-8(%rip)", {Kind::kSymbol, 4, false, false, none, none, false, 1, -8, "counter"}},
      {"8@counter", {Kind::kSymbol, 8, false, false, none, none, false, 1, 0, "counter"}},
      // An argument that cannot be read has its size all the same.
      {"8f@%xmm0", {Kind::kUnknown, 8, false, true}},
      {"16@%rax", {}},
      {"3@%rax", {}},
      {"4@", {Kind::kUnknown, 4}},
      {"4@%", {Kind::kUnknown, 4}},
      {"4@$", {Kind::kUnknown, 4}},
      {"4@5", {Kind::kUnknown, 4}},
      {"4@(%rax", {Kind::kUnknown, 4}},
      {"4@(%al)", {Kind::kUnknown, 4}},
      {"4@(%rax,%rbx,3)", {Kind::kUnknown, 4}},
      {"4@(%rip)", {Kind::kUnknown, 4}},
      {"4@table(,%rax,8)", {Kind::kUnknown, 4}},
      {"4@%raxx", {Kind::kUnknown, 4}},
      {"4@%rax)", {Kind::kUnknown, 4}},
  };
  for (const auto& each : table) {
    UsdtOperand got = one(each.text);
    if (got.kind == Kind::kUnknown) got = {Kind::kUnknown, got.size, got.is_signed, got.is_float};
    EXPECT_EQ(got, each.wanted) << each.text;
  }
  const auto several = parse_usdt_operands("  8@%rdi   4@$1 ");
  ASSERT_EQ(several.size(), 2U);
  EXPECT_EQ(several[1].value, 1);
  EXPECT_TRUE(parse_usdt_operands("").empty());
  EXPECT_EQ(parse_usdt_operands("1 2 3 4 5 6 7 8 9 10 11 12").size(), 10U);
}

}  // namespace
}  // namespace dt::symbol

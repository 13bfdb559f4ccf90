// Another layout of a program: all distances go along.

#include "kernel/nudge.h"

#include <gtest/gtest.h>

#include "kernel/insn.h"

namespace dt::kernel {
namespace {

using insn::exit;
using insn::jump;
using insn::jump_imm;
using insn::make;
using insn::mov_imm;

std::vector<bpf_insn> program() {
  return {mov_imm(0, 1),                                       // 0
          jump_imm(BPF_JEQ, 0, 0, 3),                          // 1, to 5
          make(BPF_LD | BPF_DW | BPF_IMM, 1, 0, 0, 7),         // 2 and 3
          make(0, 0, 0, 0, 0),                                 //
          make(BPF_JMP | BPF_CALL, 0, BPF_PSEUDO_CALL, 0, 3),  // 4, to 8
          jump_imm(BPF_JNE, 0, 0, -6),                         // 5, to 0
          exit(),                                              // 6
          jump(-2),                                            // 7, to 6
          exit()};                                             // 8
}

struct Distances {
  int forward, call, back, jump;
};
Distances distances(const std::vector<bpf_insn>& insns, std::size_t a, std::size_t b, std::size_t c,
                    std::size_t d) {
  return {insns[a].off, insns[b].imm, insns[c].off, insns[d].off};
}

TEST(Nudge, LengthensWhatGoesOverTheNewInstruction) {
  const std::vector<Function> functions = {{0, "", false, {}}, {8, "f", true, {}}};
  const auto other = nudged(program(), functions, 4);
  ASSERT_TRUE(other.has_value());
  ASSERT_EQ(other->insns.size(), 10U);
  EXPECT_EQ(other->insns[4].code, BPF_JMP | BPF_JEQ | BPF_K);
  EXPECT_EQ(other->insns[4].dst_reg, BPF_REG_10);
  const Distances got = distances(other->insns, 1, 5, 6, 8);
  EXPECT_EQ(got.forward, 4);
  EXPECT_EQ(got.call, 3);
  EXPECT_EQ(got.back, -7);
  EXPECT_EQ(got.jump, -2);
  EXPECT_EQ(other->functions[0].insn, 0U);
  EXPECT_EQ(other->functions[1].insn, 9U);
}

TEST(Nudge, DoesNotPartTheHalvesOfAnInstruction) {
  const auto other = nudged(program(), {}, 3);
  ASSERT_TRUE(other.has_value());
  EXPECT_EQ(other->insns[2].dst_reg, BPF_REG_10);
  EXPECT_EQ(other->insns[3].code, BPF_LD | BPF_DW | BPF_IMM);
  EXPECT_EQ(other->insns[3].imm, 7);
}

TEST(Nudge, StandsAtTheBeginningOfAFunctionAndNotBehindTheOneBefore) {
  const std::vector<Function> functions = {{0, "", false, {}}, {8, "f", true, {}}};
  const auto other = nudged(program(), functions, 8);
  ASSERT_TRUE(other.has_value());
  EXPECT_EQ(other->functions[1].insn, 8U);
  EXPECT_EQ(other->insns[4].imm, 3);
  EXPECT_EQ(other->insns[8].dst_reg, BPF_REG_10);
}

TEST(Nudge, GivesUpWhereAJumpCannotBeLonger) {
  std::vector<bpf_insn> insns(32770, mov_imm(0, 0));
  insns[0] = jump_imm(BPF_JEQ, 1, 0, 32767);
  insns.back() = exit();
  EXPECT_FALSE(nudged(insns, {}, 5).has_value());
  EXPECT_TRUE(nudged(insns, {}, 32769).has_value());
}

TEST(Nudge, TriesLayoutsWhileTheKernelCannotCompileThem) {
  std::vector<std::size_t> sizes;
  const int result = load_in_some_layout(
      program(), {}, [&sizes](std::span<const bpf_insn> insns, std::span<const Function>) {
        sizes.push_back(insns.size());
        return sizes.size() < 3 ? -kNotSupported : 5;
      });
  EXPECT_EQ(result, 5);
  EXPECT_EQ(sizes, (std::vector<std::size_t>{9, 10, 10}));
}

TEST(Nudge, DoesNotTryAgainWhatIsRefusedOtherwise) {
  int calls = 0;
  const int result = load_in_some_layout(
      program(), {}, [&calls](std::span<const bpf_insn>, std::span<const Function>) {
        calls++;
        return -EACCES;
      });
  EXPECT_EQ(result, -EACCES);
  EXPECT_EQ(calls, 1);
}

}  // namespace
}  // namespace dt::kernel

// What folding and the peephole make of typical code, as listings.

#include <gtest/gtest.h>

#include "bpf/asm/encode.h"
#include "bpf/asm/insn.h"

namespace dt::bpf {
namespace {

constexpr MapRef kGlobals{MapKind::kGlobals, 0};

std::string assembled(Emitter& e) {
  Result<Assembly> assembly = assemble(e, {});
  EXPECT_TRUE(assembly.ok());
  std::string out;
  const std::vector<bpf_insn>& insns = assembly->object.insns;
  for (std::size_t i = 0; i < insns.size(); ++i) {
    out += disassemble(insns[i], i + 1 < insns.size() ? &insns[i + 1] : nullptr) + "\n";
    if (is_wide(insns[i])) ++i;
  }
  return out;
}

TEST(Peephole, ConstantsBecomeImmediatesAndVanish) {
  Emitter e;
  const Reg a = e.load(8, e.context(), 0), five = e.imm(5);
  const Label out = e.label();
  e.alu(Alu::kAdd, a, five);
  e.jump_if(Cond::kLt, five, a, out);
  e.store(4, e.context(), 8, five);
  e.bind(out);
  e.exit(0);
  EXPECT_EQ(assembled(e),
            "r0 = *(u64 *)(r1 +0)\n"
            "r0 += 5\n"
            "if r0 > 0x5 goto pc+1\n"
            "*(u32 *)(r1 +8) = 5\n"
            "r0 = 0\n"
            "exit\n");
}

TEST(Peephole, ABranchOnConstantsIsDecidedAndTheOtherSideRemoved) {
  Emitter e;
  const Label no = e.label();
  e.jump_if_imm(Cond::kEq, e.imm(1), 0, no);
  e.store_imm(8, e.context(), 0, 1);
  e.exit(0);
  e.bind(no);
  e.exit(9);
  EXPECT_EQ(assembled(e), "*(u64 *)(r1 +0) = 1\nr0 = 0\nexit\n");
}

TEST(Peephole, APointerPlusAConstantBecomesAnOffset) {
  Emitter e;
  const Reg base = e.load(8, e.context(), 0), field = e.reg();
  e.mov(field, base);
  e.alu_imm(Alu::kAdd, field, 24);
  const Reg value = e.load(8, field, 8);
  e.store(8, field, 0, value);
  e.exit(0);
  EXPECT_EQ(assembled(e),
            "r0 = *(u64 *)(r1 +0)\n"
            "r5 = *(u64 *)(r0 +32)\n"
            "*(u64 *)(r0 +24) = r5\n"
            "r0 = 0\n"
            "exit\n");
}

TEST(Peephole, StackMemoryIsAddressedFromTheFrame) {
  Emitter e;
  const Reg at = e.stack_address(e.stack(16), 8);
  e.store_imm(8, at, 0, 3);
  e.ret(e.load(8, at, 0));
  EXPECT_EQ(assembled(e), "*(u64 *)(r10 -8) = 3\nr0 = 3\nexit\n");
}

TEST(Peephole, ResultsThatNobodyReadsAreNotComputed) {
  Emitter e;
  const Reg a = e.load(8, e.context(), 0), b = e.reg();
  e.mov(b, a);
  e.alu_imm(Alu::kMul, b, 12);
  e.neg(b);
  e.call_void(5, {});
  e.exit(0);
  EXPECT_EQ(assembled(e), "call bpf_ktime_get_ns#5\nr0 = 0\nexit\n");
}

TEST(Peephole, MultiplicationAndDivisionByPowersOfTwoShift) {
  Emitter e;
  const Reg a = e.load(8, e.context(), 0);
  e.alu_imm(Alu::kMul, a, 8);
  e.alu_imm(Alu::kDiv, a, 64);
  e.alu_imm(Alu::kMod, a, 16);
  e.ret(a);
  EXPECT_EQ(assembled(e), "r0 = *(u64 *)(r1 +0)\nr0 <<= 3\nr0 >>= 6\nr0 &= 15\nexit\n");
}

TEST(Peephole, JumpsGoStraightToTheirEnd) {
  Emitter e;
  const Reg a = e.load(8, e.context(), 0);
  const Label first = e.label(), second = e.label(), third = e.label();
  e.jump_if_imm(Cond::kEq, a, 1, first);
  e.store_imm(8, e.context(), 0, 1);
  e.jump(third);
  e.bind(first);
  e.jump(second);
  e.bind(second);
  e.jump(third);
  e.bind(third);
  e.exit(0);
  EXPECT_EQ(assembled(e),
            "r0 = *(u64 *)(r1 +0)\n"
            "if r0 == 0x1 goto pc+1\n"
            "*(u64 *)(r1 +0) = 1\n"
            "r0 = 0\n"
            "exit\n");
}

TEST(Peephole, ABranchAroundAJumpIsTurnedRound) {
  Emitter e;
  const Reg a = e.load(8, e.context(), 0);
  const Label yes = e.label(), no = e.label();
  e.jump_if_imm(Cond::kSgt, a, 1, yes);
  e.jump(no);
  e.bind(yes);
  e.store_imm(8, e.context(), 0, 1);
  e.bind(no);
  e.exit(0);
  EXPECT_EQ(assembled(e),
            "r0 = *(u64 *)(r1 +0)\n"
            "if r0 s<= 0x1 goto pc+1\n"
            "*(u64 *)(r1 +0) = 1\n"
            "r0 = 0\n"
            "exit\n");
}

TEST(Peephole, AMapAddressIsLoadedOnceInStraightCode) {
  Emitter e;
  for (int i = 0; i < 3; ++i) e.store_imm(8, e.map_value(kGlobals, 8), 0, i);
  e.exit(0);
  EXPECT_EQ(assembled(e),
            "r0 = map[fd:0][0]+8\n"
            "*(u64 *)(r0 +0) = 0\n"
            "*(u64 *)(r0 +0) = 1\n"
            "*(u64 *)(r0 +0) = 2\n"
            "r0 = 0\n"
            "exit\n");
}

}  // namespace
}  // namespace dt::bpf

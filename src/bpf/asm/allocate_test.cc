// Allocation at its edges: pressure, calls, loops, the stack's limit, size.

#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>

#include "bpf/asm/encode.h"
#include "testing/bpf/interp.h"

namespace dt::bpf {
namespace {

constexpr std::int32_t kPid = 14;  // any helper

std::string listing(const Assembly& assembly) {
  std::string out;
  for (std::size_t i = 0; i < assembly.object.insns.size(); ++i) {
    const bpf_insn* insn = &assembly.object.insns[i];
    out += disassemble(*insn, insn + 1) + "\n";
    if (insn->code == 0x18) ++i;
  }
  return out;
}

// Assembles and runs on a context of eight numbers, 1 to 8.
RunResult run_on_numbers(Emitter& e, Assembly* out = nullptr) {
  Result<Assembly> assembly = assemble(e, {});
  EXPECT_TRUE(assembly.ok()) << assembly.error().text;
  if (!assembly.ok()) return {};
  std::uint64_t numbers[8] = {1, 2, 3, 4, 5, 6, 7, 8};
  std::uint8_t context[64];
  std::memcpy(context, numbers, sizeof(numbers));
  World world;
  RunResult result = run(assembly->object, world, context);
  EXPECT_EQ(result.error, "") << listing(*assembly);
  if (out != nullptr) *out = std::move(*assembly);
  return result;
}

int stack_accesses(const Assembly& assembly) {
  int count = 0;
  for (const bpf_insn& insn : assembly.object.insns) {
    const auto kind = insn.code & 0x07;
    count += (kind == BPF_LDX && insn.src_reg == 10) || (kind == BPF_STX && insn.dst_reg == 10);
  }
  return count;
}

TEST(Allocate, FiftyLiveValuesKeepTheirValues) {
  Emitter e;
  std::vector<Reg> values;
  for (int i = 0; i < 50; ++i) {
    const Reg value = e.load(8, e.context(), (i % 8) * 8);
    e.alu_imm(Alu::kMul, value, i);
    values.push_back(value);
  }
  const Reg sum = e.imm(0);
  for (const Reg value : values) e.alu(Alu::kAdd, sum, value);
  e.ret(sum);
  std::uint64_t expected = 0;
  for (std::uint64_t i = 0; i < 50; ++i) expected += (i % 8 + 1) * i;
  EXPECT_EQ(run_on_numbers(e).value, expected);
}

TEST(Allocate, FourValuesLiveAcrossCallsStayInRegisters) {
  Emitter e;
  Reg values[3];
  for (int i = 0; i < 3; ++i) values[i] = e.load(8, e.context(), i * 8);
  const Reg sum = e.imm(0);
  for (int round = 0; round < 3; ++round) {
    e.call_void(kPid, {});
    for (const Reg value : values) e.alu(Alu::kAdd, sum, value);
  }
  e.ret(sum);
  Assembly assembly;
  EXPECT_EQ(run_on_numbers(e, &assembly).value, 18u);
  EXPECT_EQ(stack_accesses(assembly), 0) << listing(assembly);
}

TEST(Allocate, TenValuesLiveAcrossCallsSurvive) {
  Emitter e;
  std::vector<Reg> values;
  for (int i = 0; i < 8; ++i) values.push_back(e.load(8, e.context(), i * 8));
  values.push_back(e.call(kPid, {}));
  values.push_back(e.call(kPid, {}));
  e.call_void(kPid, {});
  const Reg sum = e.imm(0);
  for (const Reg value : values) e.alu(Alu::kAdd, sum, value);
  e.ret(sum);
  EXPECT_EQ(run_on_numbers(e).value, 36u + 2 * ((std::uint64_t{100} << 32) + 101));
}

TEST(Allocate, ConstantsAndAddressesAreMadeAgainRatherThanSpilled) {
  Emitter e;
  std::vector<Reg> constants;
  for (int i = 0; i < 12; ++i) constants.push_back(e.imm(std::int64_t{1} << (i + 33)));
  const Reg at = e.stack_address(e.stack(8));
  for (int round = 0; round < 2; ++round) {
    for (const Reg constant : constants) {
      e.store(8, e.context(), 0, constant);
      e.call_void(kPid, {});
    }
    e.store_imm(8, at, 0, 1);
  }
  e.exit(0);
  Assembly assembly;
  run_on_numbers(e, &assembly);
  EXPECT_EQ(stack_accesses(assembly), 0) << listing(assembly);
}

// Among values that are wanted more often, the index stays where it is compared.
TEST(Allocate, AHeldCopyIsNotLoadedBetweenItsComparisonAndItsUse) {
  constexpr std::int32_t kMost = 77;
  Emitter e;
  std::vector<Reg> values;
  for (int i = 0; i < 20; ++i) values.push_back(e.load(8, e.context(), (i % 8) * 8));
  const Reg index = e.load(8, e.context(), 16), sum = e.imm(0);
  const auto add_all = [&] {
    for (const Reg value : values) e.alu(Alu::kAdd, sum, value);
  };
  const Label top = e.label();
  const Reg turns = e.imm(2);
  e.bind(top);
  for (int i = 0; i < 2; ++i) add_all();
  e.alu_imm(Alu::kSub, turns, 1);
  e.jump_if_imm(Cond::kNe, turns, 0, top);
  const Label within = e.label();
  const Reg held = e.held_copy(index);
  e.jump_if_imm(Cond::kLe, held, kMost, within);
  e.mov_imm(held, 0);
  e.bind(within);
  e.alu(Alu::kAdd, sum, held);
  add_all();
  e.ret(sum);
  Assembly assembly;
  const std::uint64_t numbers = 5 * (2 * 36 + 1 + 2 + 3 + 4) + 3;
  EXPECT_EQ(run_on_numbers(e, &assembly).value, numbers);
  EXPECT_GT(stack_accesses(assembly), 0);
  const std::vector<bpf_insn>& insns = assembly.object.insns;
  const auto compared = std::find_if(insns.begin(), insns.end(), [](const bpf_insn& insn) {
    return insn.code == (BPF_JMP | BPF_JLE | BPF_K) && insn.imm == kMost;
  });
  ASSERT_NE(compared, insns.end());
  const auto added = std::find_if(compared, insns.end(), [](const bpf_insn& insn) {
    return insn.code == (BPF_ALU64 | BPF_ADD | BPF_X);
  });
  ASSERT_NE(added, insns.end());
  EXPECT_TRUE(std::none_of(compared, added, [&](const bpf_insn& insn) {
    return (insn.code & 0x07) == BPF_LDX && insn.dst_reg == added->src_reg;
  })) << listing(assembly);
}

TEST(Allocate, ArgumentsAreComputedInTheirRegistersAndResultsUsedFromR0) {
  Emitter e;
  const Reg a = e.load(8, e.context(), 0), b = e.load(8, e.context(), 8);
  e.alu(Alu::kAdd, b, a);
  const Reg address = e.stack_address(e.stack(16));
  e.store(8, address, 0, b);
  const Reg value = e.call(1, {e.map({MapKind::kAgg, 0}), address});
  const Label out = e.label();
  e.jump_if_imm(Cond::kEq, value, 0, out);
  e.store_imm(8, value, 0, 1);
  e.bind(out);
  e.exit(0);
  Result<Assembly> assembly = assemble(e, {});
  ASSERT_TRUE(assembly.ok());
  EXPECT_EQ(listing(*assembly),
            "r5 = *(u64 *)(r1 +0)\n"
            "r0 = *(u64 *)(r1 +8)\n"
            "r0 += r5\n"
            "*(u64 *)(r10 -16) = r0\n"
            "r1 = map[fd:0]\n"
            "r2 = r10\n"
            "r2 += -16\n"
            "call bpf_map_lookup_elem#1\n"
            "if r0 == 0x0 goto pc+1\n"
            "*(u64 *)(r0 +0) = 1\n"
            "r0 = 0\n"
            "exit\n");
}

TEST(Allocate, AValueFromBeforeALoopSurvivesEveryTurn) {
  Emitter e;
  const Reg before = e.load(8, e.context(), 48), count = e.imm(5), sum = e.imm(0);
  const Label top = e.label();
  e.bind(top);
  e.alu(Alu::kAdd, sum, before);
  // Enough short values to take every register behind the last use.
  std::vector<Reg> busy;
  for (int i = 0; i < 14; ++i) busy.push_back(e.load(8, e.context(), (i % 8) * 8));
  for (const Reg value : busy) e.alu(Alu::kAdd, sum, value);
  e.alu_imm(Alu::kSub, count, 1);
  e.jump_if_imm(Cond::kNe, count, 0, top);
  e.ret(sum);
  EXPECT_EQ(run_on_numbers(e).value, 5u * (7 + 36 + 21));
}

TEST(Allocate, ACopyKeepsItsValueWhenTheLoopAssignsTheOriginalAnew) {
  Emitter e;
  const Reg count = e.imm(3), kept = e.reg(), current = e.reg(), sum = e.imm(0);
  const Label top = e.label(), later = e.label();
  e.bind(top);
  e.load_to(current, 8, e.context(), 0);
  e.alu(Alu::kAdd, sum, current);
  e.jump_if_imm(Cond::kNe, count, 3, later);
  e.mov(kept, current);
  e.bind(later);
  e.store_imm(8, e.context(), 0, 50);
  e.alu_imm(Alu::kSub, count, 1);
  e.jump_if_imm(Cond::kNe, count, 0, top);
  e.alu_imm(Alu::kMul, sum, 1000);
  e.alu(Alu::kAdd, sum, kept);
  e.ret(sum);
  EXPECT_EQ(run_on_numbers(e).value, 101001u);
}

TEST(Allocate, AStackSlotOfALoopIsNotSharedWithinIt) {
  Emitter e;
  const Reg count = e.imm(3), sum = e.imm(0);
  const StackSlot outer = e.stack(8), inner = e.stack(8);
  e.store_imm(8, e.stack_address(outer), 0, 5);
  const Label top = e.label();
  e.bind(top);
  e.alu(Alu::kAdd, sum, e.load(8, e.stack_address(outer), 0));
  e.store_imm(8, e.stack_address(inner), 0, 100);
  e.alu(Alu::kAdd, sum, e.load(8, e.stack_address(inner), 0));
  e.alu_imm(Alu::kSub, count, 1);
  e.jump_if_imm(Cond::kNe, count, 0, top);
  e.ret(sum);
  EXPECT_EQ(run_on_numbers(e).value, 315u);
}

TEST(Allocate, StackSlotsThatAreNotInUseTogetherShareMemory) {
  Emitter e;
  for (int i = 0; i < 10; ++i) {
    const Reg at = e.stack_address(e.stack(128));
    e.store_imm(8, at, 64, i);
    e.store(8, e.context(), 0, e.load(8, at, 64));
  }
  e.exit(0);
  Assembly assembly;
  run_on_numbers(e, &assembly);
  EXPECT_EQ(assembly.object.stack_bytes, 128u);
}

TEST(Allocate, TooMuchStackIsAnErrorThatSaysSo) {
  Emitter e;
  const Reg a = e.stack_address(e.stack(300)), b = e.stack_address(e.stack(300));
  e.store_imm(8, a, 0, 1);
  e.store_imm(8, b, 0, 1);
  const Reg sum = e.load(8, a, 0);
  e.alu(Alu::kAdd, sum, e.load(8, b, 0));
  e.ret(sum);
  Result<Assembly> assembly = assemble(e, {});
  ASSERT_FALSE(assembly.ok());
  EXPECT_EQ(assembly.error().text, "the program needs 608 bytes of stack; the kernel gives 512");
}

TEST(Allocate, FramesOfAllSubprogramsCountTogether) {
  Emitter e;
  const Label callee = e.label();
  const Reg at = e.stack_address(e.stack(300));
  e.store_imm(8, at, 0, 1);
  e.call_subprogram(callee, {});
  e.ret(e.load(8, at, 0));
  e.begin_function(callee, 0);
  const Reg own = e.stack_address(e.stack(300));
  e.store_imm(8, own, 0, 1);
  e.ret(e.load(8, own, 0));
  Result<Assembly> assembly = assemble(e, {});
  ASSERT_FALSE(assembly.ok());
  EXPECT_EQ(assembly.error().text,
            "the program and its subprograms need 640 bytes of stack; the kernel gives 512");
}

// Many clauses one after the other: compile time must stay near-linear.
TEST(Allocate, TwoHundredThousandInstructionsTakeAboutASecond) {
  Emitter e;
  const Reg key = e.load(8, e.context(), 0);
  while (e.code().size() < 200000) {
    const Label next = e.label();
    e.jump_if_imm(Cond::kEq, key, static_cast<std::int32_t>(e.code().size()), next);
    const StackSlot slot = e.stack(16);
    const Reg at = e.stack_address(slot);
    const Reg pid = e.call(kPid, {});
    e.store(8, at, 0, pid);
    e.store(8, at, 8, key);
    const Reg value = e.call(1, {e.map({MapKind::kAgg, 0}), at});
    e.jump_if_imm(Cond::kEq, value, 0, next);
    e.atomic(Atomic::kAdd, 8, value, 0, e.imm(1));
    e.store(8, e.context(), 8, pid);
    e.bind(next);
  }
  e.exit(0);
  Result<Assembly> assembly = assemble(e, {});
  ASSERT_TRUE(assembly.ok());
  EXPECT_GT(assembly->object.insns.size(), 100000u);
}

}  // namespace
}  // namespace dt::bpf

// Jumps beyond 16 bits, through islands and through gotol.

#include <gtest/gtest.h>

#include <cstring>
#include <random>

#include "bpf/asm/encode.h"
#include "bpf/asm/insn.h"
#include "testing/bpf/interp.h"

namespace dt::bpf {
namespace {

// A chain of clauses, most of which may leave for one far end, as generated
// programs do, and a few random jumps forward and one far loop.
void emit_long(Emitter& e, std::uint32_t clauses, std::uint64_t seed) {
  std::mt19937_64 random(seed);
  std::vector<Label> at;
  for (std::uint32_t i = 0; i < clauses; ++i) at.push_back(e.label());
  const Label leave = e.label(), again = e.label();
  const Reg sum = e.imm(0), turns = e.imm(2);
  const Reg stop = e.load(8, e.context(), 0);
  e.bind(again);
  for (std::uint32_t i = 0; i < clauses; ++i) {
    e.bind(at[i]);
    const auto number = static_cast<std::int32_t>(i);
    e.alu_imm(Alu::kAdd, sum, number);
    e.jump_if_imm(Cond::kEq, stop, number, leave);
    for (int k = 0; k < 12; ++k) e.store(8, e.context(), 8 + k % 4 * 8, sum);
    const std::uint64_t target = i + 1 + random() % 8000;
    if (random() % 4 == 0 && target < clauses) e.jump_if_imm(Cond::kSet, sum, 4, at[target]);
  }
  e.alu_imm(Alu::kSub, turns, 1);
  e.jump_if_imm(Cond::kNe, turns, 0, again);
  e.bind(leave);
  e.ret(sum);
}

// The same, computed without jumps.
std::uint64_t expected_sum(std::uint32_t clauses, std::uint64_t seed, std::uint64_t stop) {
  std::mt19937_64 random(seed);
  std::vector<std::uint32_t> next;
  for (std::uint32_t i = 0; i < clauses; ++i) {
    const std::uint64_t target = i + 1 + random() % 8000;
    const bool jumps = random() % 4 == 0 && target < clauses;
    next.push_back(jumps ? static_cast<std::uint32_t>(target) : 0);
  }
  std::uint64_t sum = 0;
  for (int turn = 0; turn < 2; ++turn) {
    for (std::uint32_t i = 0; i < clauses;) {
      sum += i;
      if (stop == i) return sum;
      i = next[i] != 0 && (sum & 4) != 0 ? next[i] : i + 1;
    }
  }
  return sum;
}

class FarJumps : public testing::TestWithParam<bool> {};

TEST_P(FarJumps, ReachTheirTargets) {
  constexpr std::uint32_t kClauses = 12000;
  Emitter e;
  emit_long(e, kClauses, 5);
  Target target;
  target.has_cpu_v4 = GetParam();
  Result<Assembly> assembly = assemble(e, target);
  ASSERT_TRUE(assembly.ok()) << assembly.error().text;
  ASSERT_GT(assembly->object.insns.size(), 150000u);
  int long_jumps = 0;
  for (const bpf_insn& insn : assembly->object.insns)
    long_jumps += insn.code == (BPF_JMP32 | BPF_JA);
  EXPECT_EQ(long_jumps > 0, GetParam());
  for (const std::uint64_t stop :
       {std::uint64_t{0}, std::uint64_t{17}, std::uint64_t{9000}, std::uint64_t{99999}}) {
    std::uint64_t numbers[8] = {stop};
    std::uint8_t context[64];
    std::memcpy(context, numbers, sizeof(numbers));
    World world;
    const RunResult result = run(assembly->object, world, context);
    EXPECT_EQ(result.error, "");
    EXPECT_EQ(result.value, expected_sum(kClauses, 5, stop)) << stop;
  }
}

INSTANTIATE_TEST_SUITE_P(Cpu, FarJumps, testing::Bool(),
                         [](const auto& param) { return param.param ? "Gotol" : "Islands"; });

}  // namespace
}  // namespace dt::bpf

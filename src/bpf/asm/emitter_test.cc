// What each Emitter call computes, by the interpreter.

#include <gtest/gtest.h>

#include <cstring>
#include <functional>

#include "bpf/asm/encode.h"
#include "support/check.h"
#include "testing/bpf/interp.h"

namespace dt::bpf {
namespace {

using Body = std::function<Reg(Emitter&, Reg a, Reg b)>;

// Runs `body` on two values that the passes cannot know, and returns its result.
std::uint64_t compute(std::uint64_t a, std::uint64_t b, const Body& body, bool cpu_v4 = false) {
  Emitter e;
  const Reg left = e.load(8, e.context(), 0), right = e.load(8, e.context(), 8);
  e.ret(body(e, left, right));
  Target target;
  target.has_cpu_v4 = cpu_v4;
  Result<Assembly> assembly = assemble(e, target);
  EXPECT_TRUE(assembly.ok());
  std::uint64_t values[2] = {a, b};
  std::uint8_t context[16];
  std::memcpy(context, values, sizeof(values));
  World world;
  const RunResult result = run(assembly->object, world, context);
  EXPECT_EQ(result.error, "");
  return result.value;
}

constexpr std::uint64_t kMinus1 = ~std::uint64_t{0};
constexpr std::uint64_t kMin = std::uint64_t{1} << 63;

struct AluCase {
  Alu op;
  std::uint64_t a, b, wide, narrow;
};

constexpr AluCase kAluCases[] = {
    {Alu::kAdd, kMinus1, 2, 1, 1},
    {Alu::kSub, 1, 2, kMinus1, 0xffffffff},
    {Alu::kMul, 0x100000001, 3, 0x300000003, 3},
    {Alu::kDiv, kMinus1, 16, 0x0fffffffffffffff, 0x0fffffff},
    {Alu::kDiv, 7, 0, 0, 0},
    {Alu::kMod, 0x10000000f, 8, 7, 7},
    {Alu::kMod, 0x10000000f, 0, 0x10000000f, 15},
    {Alu::kOr, 0xf0, 0x0f, 0xff, 0xff},
    {Alu::kAnd, 0xff0, 0x0ff, 0x0f0, 0x0f0},
    {Alu::kXor, 0xff0, 0x0ff, 0xf0f, 0xf0f},
    {Alu::kLsh, 1, 63, kMin, 0x80000000},
    {Alu::kRsh, kMin, 63, 1, 0},
    {Alu::kArsh, kMin, 63, kMinus1, 0},
    {Alu::kArsh, 0x80000000, 4, 0x08000000, 0xf8000000},
};

TEST(Emitter, AluOverRegistersComputesInBothWidths) {
  for (const AluCase& c : kAluCases) {
    const auto wide = [&](Emitter& e, Reg a, Reg b) { return e.alu(c.op, a, b), a; };
    const auto narrow = [&](Emitter& e, Reg a, Reg b) { return e.alu32(c.op, a, b), a; };
    EXPECT_EQ(compute(c.a, c.b, wide), c.wide) << static_cast<int>(c.op);
    EXPECT_EQ(compute(c.a, c.b, narrow), c.narrow) << static_cast<int>(c.op);
  }
}

TEST(Emitter, AluWithAConstantComputesTheSame) {
  for (const AluCase& c : kAluCases) {
    if (c.b == 0 || c.b > 31) continue;
    const auto imm = static_cast<std::int32_t>(c.b);
    const auto wide = [&](Emitter& e, Reg a, Reg) { return e.alu_imm(c.op, a, imm), a; };
    const auto narrow = [&](Emitter& e, Reg a, Reg) { return e.alu32_imm(c.op, a, imm), a; };
    const auto folded = [&](Emitter& e, Reg a, Reg) { return e.alu(c.op, a, e.imm(imm)), a; };
    EXPECT_EQ(compute(c.a, 0, wide), c.wide) << static_cast<int>(c.op);
    EXPECT_EQ(compute(c.a, 0, folded), c.wide) << static_cast<int>(c.op);
    EXPECT_EQ(compute(c.a, 0, narrow), c.narrow) << static_cast<int>(c.op);
  }
}

TEST(Emitter, AluOverTwoConstantsIsComputedAheadToTheSame) {
  for (const AluCase& c : kAluCases) {
    const auto wide = [&](Emitter& e, Reg, Reg) {
      const Reg a = e.imm(static_cast<std::int64_t>(c.a));
      e.alu(c.op, a, e.imm(static_cast<std::int64_t>(c.b)));
      return a;
    };
    const auto narrow = [&](Emitter& e, Reg, Reg) {
      const Reg a = e.imm(static_cast<std::int64_t>(c.a));
      e.alu32(c.op, a, e.imm(static_cast<std::int64_t>(c.b)));
      return a;
    };
    EXPECT_EQ(compute(0, 0, wide), c.wide) << static_cast<int>(c.op);
    EXPECT_EQ(compute(0, 0, narrow), c.narrow) << static_cast<int>(c.op);
  }
}

TEST(Emitter, ExtensionsAndSwapsAreTheSameOnEveryCpuVersion) {
  struct Case {
    std::uint32_t bytes;
    std::uint64_t value, sign, zero, swap;
  };
  constexpr Case kCases[] = {
      {2, 0x11118081, 0xffffffffffff8081, 0x8081, 0x8180},
      {4, 0x1111111180818283, 0xffffffff80818283, 0x80818283, 0x83828180},
      {8, 0x8081828384858687, 0x8081828384858687, 0x8081828384858687, 0x8786858483828180},
  };
  for (const Case& c : kCases) {
    for (const bool v4 : {false, true}) {
      const auto sign = [&](Emitter& e, Reg a, Reg) { return e.sign_extend(a, c.bytes), a; };
      const auto zero = [&](Emitter& e, Reg a, Reg) { return e.zero_extend(a, c.bytes), a; };
      const auto swap = [&](Emitter& e, Reg a, Reg) { return e.byte_swap(a, c.bytes), a; };
      EXPECT_EQ(compute(c.value, 0, sign, v4), c.sign);
      EXPECT_EQ(compute(c.value, 0, zero, v4), c.zero);
      EXPECT_EQ(compute(c.value, 0, swap, v4), c.swap);
    }
  }
}

TEST(Emitter, ConstantsOfEverySizeArrive) {
  for (const std::int64_t value :
       {std::int64_t{0}, std::int64_t{-1}, std::int64_t{0x7fffffff}, std::int64_t{0x80000000},
        std::int64_t{0xffffffff}, std::int64_t{0x100000000}, -std::int64_t{0x80000001}}) {
    EXPECT_EQ(compute(0, 0, [&](Emitter& e, Reg, Reg) { return e.imm(value); }),
              static_cast<std::uint64_t>(value));
  }
}

struct CondCase {
  Cond cond;
  std::uint64_t a, b;
  bool taken;
};

TEST(Emitter, BranchesCompareAsTheyAreNamed) {
  constexpr CondCase kCases[] = {
      {Cond::kEq, 5, 5, true},        {Cond::kEq, 5, 6, false},
      {Cond::kNe, 5, 6, true},        {Cond::kNe, 5, 5, false},
      {Cond::kGt, kMinus1, 1, true},  {Cond::kGt, 1, 1, false},
      {Cond::kGe, 1, 1, true},        {Cond::kGe, 1, kMinus1, false},
      {Cond::kLt, 1, kMinus1, true},  {Cond::kLt, 1, 1, false},
      {Cond::kLe, 1, 1, true},        {Cond::kLe, kMinus1, 1, false},
      {Cond::kSgt, 1, kMinus1, true}, {Cond::kSgt, kMinus1, 1, false},
      {Cond::kSge, 1, 1, true},       {Cond::kSge, kMinus1, 1, false},
      {Cond::kSlt, kMinus1, 1, true}, {Cond::kSlt, 1, kMinus1, false},
      {Cond::kSle, kMinus1, 1, true}, {Cond::kSle, 1, kMinus1, false},
      {Cond::kSet, 6, 4, true},       {Cond::kSet, 6, 1, false},
  };
  for (const CondCase& c : kCases) {
    const auto jump = [&](auto&& emit_jump) {
      return [emit_jump](Emitter& e, Reg a, Reg b) {
        const Reg out = e.imm(1);
        const Label taken = e.label();
        emit_jump(e, a, b, taken);
        e.mov_imm(out, 0);
        e.bind(taken);
        return out;
      };
    };
    const auto imm = static_cast<std::int32_t>(static_cast<std::int64_t>(c.b));
    const std::uint64_t expected = c.taken ? 1 : 0;
    const int name = static_cast<int>(c.cond);
    EXPECT_EQ(compute(c.a, c.b, jump([&](Emitter& e, Reg a, Reg b, Label to) {
                        e.jump_if(c.cond, a, b, to);
                      })),
              expected)
        << name;
    EXPECT_EQ(compute(c.a, c.b, jump([&](Emitter& e, Reg a, Reg, Label to) {
                        e.jump_if_imm(c.cond, a, imm, to);
                      })),
              expected)
        << name;
    // A constant on the left is swapped to the right, two constants decide ahead.
    EXPECT_EQ(compute(c.a, c.b, jump([&](Emitter& e, Reg, Reg b, Label to) {
                        e.jump_if(c.cond, e.imm(static_cast<std::int64_t>(c.a)), b, to);
                      })),
              expected)
        << name;
    EXPECT_EQ(compute(c.a, c.b, jump([&](Emitter& e, Reg, Reg, Label to) {
                        e.jump_if_imm(c.cond, e.imm(static_cast<std::int64_t>(c.a)), imm, to);
                      })),
              expected)
        << name;
  }
}

TEST(Emitter, AtomicsChangeMemoryAndFetchTheOldValue) {
  struct Case {
    Atomic op;
    std::uint32_t size;
    std::uint64_t memory, operand, expected, after, fetched;
  };
  constexpr Case kCases[] = {
      {Atomic::kAdd, 8, kMinus1, 2, 0, 1, 2},
      {Atomic::kAdd, 4, 0x1ffffffff, 2, 0, 0x100000001, 2},
      {Atomic::kFetchAdd, 8, 10, 5, 0, 15, 10},
      {Atomic::kOr, 8, 0xf0, 0x0f, 0, 0xff, 0x0f},
      {Atomic::kXchg, 4, 0x1000000aa, 0xbb, 0, 0x1000000bb, 0xaa},
      {Atomic::kCmpxchg, 8, 7, 9, 7, 9, 7},
      {Atomic::kCmpxchg, 8, 7, 9, 8, 7, 7},
  };
  for (const Case& c : kCases) {
    for (const bool wants_memory : {true, false}) {
      const auto body = [&](Emitter& e, Reg memory, Reg operand) {
        const Reg at = e.stack_address(e.stack(8));
        e.store(8, at, 0, memory);
        const bool swaps = c.op == Atomic::kCmpxchg;
        const Reg expected = swaps ? e.imm(static_cast<std::int64_t>(c.expected)) : Reg{};
        e.atomic(c.op, c.size, at, 0, operand, expected);
        return wants_memory ? e.load(8, at, 0) : swaps ? expected : operand;
      };
      EXPECT_EQ(compute(c.memory, c.operand, body), wants_memory ? c.after : c.fetched);
    }
  }
}

TEST(Emitter, LoadsAreZeroExtendedAndStoresTruncate) {
  const auto body = [](Emitter& e, Reg a, Reg b) {
    const Reg at = e.stack_address(e.stack(16));
    e.store(8, at, 0, b);
    e.store(2, at, 0, a);
    e.store_imm(8, at, 8, -1);
    e.store_imm(1, at, 8, 0x12);
    const Reg sum = e.load(4, at, 0);
    e.alu(Alu::kAdd, sum, e.load(1, at, 8));
    return sum;
  };
  EXPECT_EQ(compute(0xffffaabb, 0x1111111122222222, body), 0x2222aabbu + 0x12u);
}

TEST(Emitter, OffsetsOfMoreThan16BitsReachTheirPlace) {
  Emitter e;
  const Reg value = e.map_value({MapKind::kGlobals, 0}, 0);
  e.store_imm(8, value, 100000, 77);
  e.ret(e.load(8, value, 100000));
  Result<Assembly> assembly = assemble(e, {});
  ASSERT_TRUE(assembly.ok());
  World world;
  world.add_map({MapKind::kGlobals, 0}, ModelType::kArray, 4, 200000, 1);
  std::uint8_t context[8] = {};
  EXPECT_EQ(run(assembly->object, world, context).value, 77u);
  EXPECT_EQ(world.value({MapKind::kGlobals, 0})->at(100000), 77);
}

TEST(Emitter, SubprogramsHaveTheirOwnRegistersAndStack) {
  Emitter e;
  const Label twice = e.label(), unused = e.label();
  const Reg a = e.load(8, e.context(), 0);
  const Reg at = e.stack_address(e.stack(8));
  e.store(8, at, 0, a);
  const Reg result = e.call_subprogram(twice, {a});
  e.alu(Alu::kAdd, result, e.load(8, at, 0));
  e.alu(Alu::kAdd, result, a);
  e.ret(result);
  const std::vector<Reg> p = e.begin_function(twice, 1);
  const Reg own = e.stack_address(e.stack(8));
  e.store(8, own, 0, p[0]);
  e.alu(Alu::kAdd, p[0], e.load(8, own, 0));
  e.ret(p[0]);
  e.begin_function(unused, 0);
  e.exit(99);
  Result<Assembly> assembly = assemble(e, {});
  ASSERT_TRUE(assembly.ok());
  EXPECT_EQ(assembly->label_insn[unused.id], kNoId) << "nothing calls it";
  EXPECT_EQ(assembly->object.stack_bytes, 64u) << "two frames of one step each";
  World world;
  std::uint8_t context[8] = {10};
  const RunResult result_of_run = run(assembly->object, world, context);
  EXPECT_EQ(result_of_run.error, "");
  EXPECT_EQ(result_of_run.value, 40u);
}

TEST(Emitter, FunctionsAreListedWhenOneIsGlobal) {
  using kernel::Parameter;
  const std::vector<Parameter> parameters = {{}, {Parameter::Kind::kMemory, 16}};
  for (const bool is_global : {false, true}) {
    Emitter e;
    const Label here = e.label(), there = e.label();
    const Reg a = e.load(8, e.context(), 0);
    e.call_subprogram(here, {a, a});
    e.call_subprogram(there, {a});
    e.exit(0);
    if (is_global)
      e.begin_global_function(here, "dt_here", parameters);
    else
      e.begin_function(here, 2);
    e.exit(1);
    e.begin_function(there, 1);
    e.exit(2);
    Result<Assembly> assembly = assemble(e, {});
    ASSERT_TRUE(assembly.ok());
    const std::vector<kernel::Function>& functions = assembly->object.functions;
    if (!is_global) {
      EXPECT_TRUE(functions.empty());
      continue;
    }
    ASSERT_EQ(functions.size(), 3u);
    EXPECT_EQ(functions[0], (kernel::Function{.insn = 0, .name = {}}));
    const kernel::Function want = {assembly->label_insn[here.id], "dt_here", true, parameters};
    EXPECT_EQ(functions[1], want);
    EXPECT_EQ(functions[2], (kernel::Function{.insn = assembly->label_insn[there.id], .name = {}}));
  }
}

TEST(Emitter, ALabelKnowsItsInstruction) {
  Emitter e;
  const Label here = e.label();
  const Reg index = e.reg();
  e.mov_label(index, here);
  e.store(8, e.context(), 0, index);
  e.bind(here);
  e.exit(5);
  Result<Assembly> assembly = assemble(e, {});
  ASSERT_TRUE(assembly.ok());
  World world;
  std::uint8_t context[8] = {};
  run(assembly->object, world, context);
  EXPECT_EQ(context[0], assembly->label_insn[here.id]);
  EXPECT_EQ(assembly->object.insns.at(context[0]).imm, 5);
}

TEST(Emitter, SpansBecomeALineTable) {
  Emitter e;
  e.at({.source = 0, .begin = 3, .end = 5});
  e.store_imm(8, e.context(), 0, 1);
  e.store_imm(8, e.context(), 8, 1);
  e.at({.source = 0, .begin = 9, .end = 12});
  e.exit(0);
  Result<Assembly> assembly = assemble(e, {});
  ASSERT_TRUE(assembly.ok());
  ASSERT_EQ(assembly->object.lines.size(), 2u);
  EXPECT_EQ(assembly->object.lines[0].insn, 0u);
  EXPECT_EQ(assembly->object.lines[0].span.begin, 3u);
  EXPECT_EQ(assembly->object.lines[1].insn, 2u);
  EXPECT_EQ(assembly->object.lines[1].span.begin, 9u);
}

}  // namespace
}  // namespace dt::bpf

// What a program does before and behind its work where the kernel may preempt it, and
// how it waits for user memory that is not resident.

#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>

#include "bpf/program/generate_test.h"
#include "testing/bpf/interp.h"

namespace dt::bpf {
namespace {

constexpr std::uint32_t kBegin = 70, kEnd = 71;  // the kernel's functions, by BTF number
constexpr std::uint64_t kPage = 4096, kUser = 0x10000 + kPage - 4;

// arg0's string, and its first 8 bytes as a number; a division that faults when
// arg1 is 0; ERROR's clause counts.
constexpr const char* kReads = R"(program strsize=256
agg @0 "errors" count
clause "a" {
  record { trace str256, trace int8u }
  b0:
    %0 : s64 = builtin arg0
    %1 : str256 = copyinstr %0
    %2 : u64 = load_user %0
    emit %1, %2
    return
}
clause "b" {
  record { trace int8s }
  b0:
    %0 : s64 = builtin arg0
    %1 : s64 = builtin arg1
    %2 : s64 = div_s %0, %1
    emit %2
    return
}
clause "ERROR" {
  b0:
    aggregate @0
    return
})";

class Waiting : public WordPrologue {
 public:
  bool may_wait() const override { return true; }
};

struct Ran {
  World world;
  explicit Ran(const Generated& g) : world(g.memory) {
    const auto active = static_cast<std::uint32_t>(State::kActive);
    std::memcpy(world.value({MapKind::kGlobals, 0})->data(), &active, sizeof active);
    const std::string text = "abcdefgh";
    world.user_memory[kUser] = {text.begin(), text.end()};
    world.user_memory[kUser].resize(64);
  }
  void fire(const Generated& g, std::uint64_t address, std::uint64_t divisor) {
    const std::uint64_t words[kContextWords] = {0, address, divisor};
    std::vector<std::uint8_t> context(sizeof words);
    std::memcpy(context.data(), words, sizeof words);
    EXPECT_EQ(run(g.object, world, context).error, "");
  }
  std::size_t faults() { return count(record::Kind::kFault); }
  std::size_t count(record::Kind kind) {
    const auto& records = world.map({MapKind::kRing, 0})->records;
    return static_cast<std::size_t>(
        std::count_if(records.begin(), records.end(), [kind](const RingRecord& one) {
          record::Header header;
          std::memcpy(&header, one.bytes.data(), sizeof header);
          return record::kind_of(header) == kind;
        }));
  }
};

Generated waiting(const Limits& limits = {}, Machine machine = {}) {
  Generated g;
  g.program = std::move(ir::parse(kReads)).value();
  g.plan = test_plan(g.program, {0});
  machine.rcu_lock = kBegin;
  machine.rcu_unlock = kEnd;
  g.memory = plan_memory(g.program, g.plan, machine);
  Waiting prologue;
  generate_with(prologue, g, limits);
  EXPECT_EQ(g.error, "");
  return g;
}

using Calls = std::vector<std::uint32_t>;

TEST(GenerateWait, PreemptionIsForbiddenOnceAndAllowedOnceWhateverFaults) {
  Machine machine;
  machine.preempt_disable = kBegin;
  machine.preempt_enable = kEnd;
  for (const Limits& limits : {Limits{}, kDivided}) {
    const Generated g = generate_from(kReads, machine, {0}, limits);
    ASSERT_EQ(g.error, "");
    EXPECT_FALSE(g.object.waits);
    Ran ran(g);
    ran.fire(g, 0x666000, 0);
    EXPECT_EQ(ran.faults(), 2U);
    EXPECT_EQ(ran.world.kernel_calls, (Calls{kBegin, kEnd})) << listing(g);
  }
}

// What is left to do when a thread's turn is over is done when it has left the program.
TEST(GenerateWait, InterruptsAreHeldBackWherePreemptionIsAllowedAgain) {
  Machine machine;
  machine.preempt_disable = kBegin;
  machine.preempt_enable = kEnd;
  machine.irq_save = 0x53;
  machine.irq_restore = 0x54;
  for (const Limits& limits : {Limits{}, kDivided}) {
    const Generated g = generate_from(kReads, machine, {0}, limits);
    ASSERT_EQ(g.error, "");
    Ran ran(g);
    ran.fire(g, 0x666000, 0);
    EXPECT_EQ(ran.world.kernel_calls, (Calls{kBegin, 0x53, kEnd, 0x54})) << listing(g);
  }
}

// A tail call, which is never made, keeps the kernel from giving it a stack for each CPU.
TEST(GenerateWait, AProgramThatSeveralThreadsMayBeInHasTheThreadsStack) {
  const auto tail_calls = [](const Generated& g) {
    return std::count_if(g.object.insns.begin(), g.object.insns.end(), [](const bpf_insn& insn) {
      return insn.code == (BPF_JMP | BPF_CALL) && insn.src_reg == 0 &&
             insn.imm == BPF_FUNC_tail_call;
    });
  };
  Machine machine;
  EXPECT_EQ(tail_calls(waiting({}, machine)), 0);
  machine.has_private_stacks = true;
  EXPECT_EQ(tail_calls(generate_from(kReads, machine)), 0);
  const Generated g = waiting({}, machine);
  EXPECT_EQ(tail_calls(g), 1) << listing(g);
  Ran ran(g);
  ran.fire(g, kUser, 1);
  EXPECT_EQ(ran.count(record::Kind::kClause), 2U);
}

TEST(GenerateWait, AProgramThatCannotWaitFaultsWhereAPageIsNotResident) {
  const Generated g = generate_from(kReads, Machine{});
  ASSERT_EQ(g.error, "");
  Ran ran(g);
  ran.world.absent_pages = {0x11000};
  ran.fire(g, kUser, 1);
  EXPECT_EQ(ran.faults(), 1U);
  EXPECT_EQ(ran.world.absent_pages.size(), 1U);
}

TEST(GenerateWait, OnlyProgramsThatReadUserMemoryWait) {
  Machine machine;
  machine.rcu_lock = kBegin;
  machine.rcu_unlock = kEnd;
  const char* const counts =
      "program\nagg @0 \"_\" count\nclause \"a\" {\n  b0:\n"
      "    aggregate @0\n    return\n}\n";
  Generated g;
  g.program = std::move(ir::parse(counts)).value();
  g.plan = test_plan(g.program, {0});
  g.memory = plan_memory(g.program, g.plan, machine);
  Waiting prologue;
  EXPECT_FALSE(generate({g.program, g.plan, 0, prologue, g.memory})->object.waits);
  EXPECT_TRUE(waiting().object.waits);
}

// The section is left for each page, and held wherever else.
TEST(GenerateWait, PagesAreBroughtInOneByOne) {
  for (const Limits& limits : {Limits{}, kDivided}) {
    const Generated g = waiting(limits);
    Ran resident(g);
    resident.fire(g, kUser, 1);
    const std::size_t usual = resident.world.kernel_calls.size();
    Ran ran(g);
    ran.world.absent_pages = {0x10000, 0x11000, 0x12000};
    ran.fire(g, kUser, 1);
    EXPECT_EQ(ran.faults(), 0U);
    EXPECT_EQ(ran.count(record::Kind::kClause), 2U);
    EXPECT_EQ(ran.world.absent_pages, std::set<std::uint64_t>{0x12000}) << "nobody needs that";
    EXPECT_EQ(ran.world.kernel_calls.size(), usual + 4);
    for (std::size_t i = 0; i < ran.world.kernel_calls.size(); ++i) {
      EXPECT_EQ(ran.world.kernel_calls[i], i % 2 == 0 ? kBegin : kEnd) << i;
    }
  }
}

TEST(GenerateWait, WhatIsNotThereFaultsAllTheSame) {
  const Generated g = waiting();
  Ran ran(g);
  ran.fire(g, 0x666000, 1);
  EXPECT_EQ(ran.faults(), 1U);
  EXPECT_EQ(ran.count(record::Kind::kClause), 1U);
}

}  // namespace
}  // namespace dt::bpf

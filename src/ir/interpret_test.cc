// The interpreter, operation by operation where that is not arithmetic; and a
// second front-end, small as it is, that makes its program by hand.

#include "ir/interpret.h"

#include <gtest/gtest.h>

#include "ir/builder.h"
#include "ir/parse.h"
#include "ir/print.h"
#include "ir/verify.h"
#include "testing/ir/table_environment.h"

namespace dt::ir {
namespace {

struct Trial {
  Program program;
  TableEnvironment environment;
  State state;
  Firing firing;

  explicit Trial(const std::string& text) {
    auto parsed = parse("program\n" + text);
    EXPECT_TRUE(parsed.ok()) << (parsed.ok() ? "" : parsed.error().text);
    if (parsed.ok()) program = std::move(*parsed);
    EXPECT_EQ(verify(program), std::vector<std::string>{});
    environment.integers = {{Builtin::kPid, 7}, {Builtin::kTid, 8}, {Builtin::kCpu, 3}};
    environment.texts = {{Builtin::kExecname, "bash"}};
    environment.user = {{0x1000, {'h', 'i', 0, 'x', 0xff, 0xff, 0xff, 0x7f}}};
    environment.kernel = {{0x2000, {0xfe, 0xff, 0xff, 0xff, 'l', 'o', 'n', 'g'}}};
  }
  Firing& fire() {
    std::vector<ClauseEpid> clauses;
    for (std::uint32_t i = 0; i < program.clauses.size(); ++i) clauses.push_back({i, i + 1});
    firing = interpret(program, clauses, environment, state);
    return firing;
  }
};

TEST(Interpret, ARecordIsLaidOutAsOnTheWire) {
  Trial run(
      "clause \"a\" {\n record { printf \"x\" int1u str8 int4s }\n b0:\n"
      " %0 : s64 = const 513\n %1 : str16 = builtin execname\n emit %0, %1, %0\n return\n}");
  const Bytes want = {1,   0,   0,   0,   3, 0, 1, 0, 1, 0, 0, 0, 0, 0, 0, 0,
                      'b', 'a', 's', 'h', 0, 0, 0, 0, 1, 2, 0, 0, 0, 0, 0, 0};
  EXPECT_EQ(run.fire().records, std::vector<Bytes>{want});
}

TEST(Interpret, MemoryIsReadWithItsWidthAndSign) {
  Trial run(
      "var @0 global \"a\" : s64\nvar @1 global \"b\" : s64\nclause \"a\" {\n b0:\n"
      " %0 : s64 = const 8192\n %1 : s32 = load_kernel %0\n store @0, %1\n"
      " %2 : u32 = load_kernel %0\n store @1, %2\n return\n}");
  run.fire();
  EXPECT_EQ((run.state.variables[{0, {}}].integer), -2);
  EXPECT_EQ((run.state.variables[{1, {}}].integer), 0xfffffffe);
}

TEST(Interpret, TheAddressOfAVariableLeadsToWhatItHolds) {
  Trial run(
      "var @0 global \"a\" : bytes8\nvar @1 global \"b\" : s64\nvar @2 global \"c\" [s32] : str8\n"
      "var @3 clause \"d\" : bytes8\n"
      "clause \"a\" {\n b0:\n %0 : u64 = address_of @0, 4\n %1 : s64 = const -2\n"
      " store_part @0, 4, s32, %1\n %2 : s32 = load_kernel %0\n store @1, %2\n"
      " %3 : s64 = const 77\n store_scratch 2, %0, %3\n return\n}\n"
      "clause \"b\" {\n b0:\n %0 : u64 = address_of @3, 0\n store_scratch 1, %0, %0\n return\n}\n"
      "clause \"c\" {\n b0:\n %0 : s64 = const 5\n %1 : u64 = address_of @2, 3, %0\n"
      " %2 : s8 = load_kernel %1\n return\n}");
  run.fire();
  EXPECT_EQ((run.state.variables[{1, {}}].integer), -2);
  EXPECT_EQ((run.state.variables[{0, {}}].bytes), (Bytes{0, 0, 0, 0, 77, 0, 0xff, 0xff}));
  ASSERT_EQ(run.firing.faults.size(), 2U);  // a clause's variable is not written so
  EXPECT_EQ(run.firing.faults[1].address, 3U);
}

TEST(Interpret, AFaultLeavesItsClauseAndTheNextOneRuns) {
  Trial run(
      "agg @0 \"a\" count\nclause \"a\" {\n record { trace int8s }\n b0:\n"
      " %0 : s64 = const 48 #1\n aggregate @0\n %1 : s64 = load_kernel %0 #2\n"
      " aggregate @0\n emit %1\n return\n}\n"
      "clause \"b\" {\n b0:\n %0 : s64 = const 0\n %1 : s64 = rem_u %0, %0\n return\n}\n"
      "clause \"c\" {\n b0:\n aggregate @0\n return\n}");
  run.fire();
  EXPECT_TRUE(run.firing.records.empty());
  ASSERT_EQ(run.firing.faults.size(), 2U);
  EXPECT_EQ(run.firing.faults[0].fault, record::Fault::kBadAddress);
  EXPECT_EQ(run.firing.faults[0].address, 48U);
  EXPECT_EQ(run.firing.faults[0].action, 2U);
  EXPECT_EQ(run.firing.faults[0].epid, 1U);
  EXPECT_EQ(run.firing.faults[1].fault, record::Fault::kDivideByZero);
  EXPECT_EQ((run.state.aggregations[{0, {}}]), std::vector<std::uint64_t>{2});
}

TEST(Interpret, WhatAccumulatesAddsToElementsThatThereAre) {
  Trial run(
      "agg @0 \"a\" sum [int4s]\nvar @0 global \"there\" : s64\nclause \"a\" {\n b0:\n"
      " %0 : s64 = const 7\n %1 : s32 = accumulate @0, %0, %0\n atomic_add @0, %1\n"
      " branch %1, b2, b1\n b1:\n aggregate @0, %0, %0\n jump b2\n b2:\n return\n}");
  for (int i = 0; i < 3; ++i) run.fire();
  EXPECT_EQ((run.state.variables[{0, {}}].integer), 2);
  ASSERT_EQ(run.state.aggregations.size(), 1U);
  EXPECT_EQ(run.state.aggregations.begin()->second, std::vector<std::uint64_t>{21});
}

TEST(Interpret, NoClauseRunsBehindAnExitButThoseThatOutliveIt) {
  Trial run(
      "agg @0 \"a\" sum\nclause \"a\" {\n b0:\n %0 : s64 = const 1\n exit %0\n"
      " aggregate @0, %0\n return\n}\n"
      "clause \"b\" {\n b0:\n %0 : s64 = const 10\n aggregate @0, %0\n return\n}\n"
      "clause \"END\" {\n b0:\n %0 : s64 = const 100\n aggregate @0, %0\n return\n}");
  run.fire();
  EXPECT_EQ((run.state.aggregations[{0, {}}]), std::vector<std::uint64_t>{1});
  const std::vector<ClauseEpid> end = {{1, 2, 0, false}, {2, 3, 0, true}};
  interpret(run.program, end, run.environment, run.state);
  EXPECT_EQ((run.state.aggregations[{0, {}}]), std::vector<std::uint64_t>{101});
}

TEST(Interpret, AnIdAboveThoseOfAllSpeculationsIsAFault) {
  const auto in_use = [](const char* before) {
    auto program = parse(std::string("program speculations=2\nvar @0 global \"x\" : s64\n"
                                     "clause \"a\" {\n b0:\n %0 : s32 = speculation\n") +
                         before + " store @0, %2\n return\n}");
    EXPECT_TRUE(program.ok()) << (program.ok() ? "" : program.error().text);
    EXPECT_EQ(verify(*program), std::vector<std::string>{});
    TableEnvironment environment;
    State state;
    const std::vector<ClauseEpid> clauses = {{0, 1}};
    const Firing firing = interpret(*program, clauses, environment, state);
    return firing.faults.empty() ? state.variables[{0, {}}].integer : -1;
  };
  EXPECT_EQ(in_use(" %2 : s32 = speculation_in_use %0\n"), 1);
  EXPECT_EQ(in_use(" end_speculation %0\n %2 : s32 = speculation_in_use %0\n"), 0);
  EXPECT_EQ(in_use(" %1 : s32 = const 0\n %2 : s32 = speculation_in_use %1\n"), 0);
  EXPECT_EQ(in_use(" %1 : s32 = const 2\n %2 : s32 = speculation_in_use %1\n"), 0);
  EXPECT_EQ(in_use(" %1 : s32 = const 3\n %2 : s32 = speculation_in_use %1\n"), -1);
  EXPECT_EQ(in_use(" %1 : s32 = const -1\n %2 : s32 = speculation_in_use %1\n"), -1);
}

TEST(Interpret, ScratchMemoryIsWrittenAndReadWithinWhatWasAllocated) {
  Trial run(
      "var @0 global \"a\" : s64\nvar @1 global \"p\" : u64\nclause \"a\" {\n b0:\n"
      " %0 : s64 = const 12\n %1 : u64 = alloca 0, %0\n store @1, %1\n"
      " %2 : s64 = const 8192\n copy_kernel %1, %2, %0\n return\n}\n"
      "clause \"b\" {\n b0:\n"
      " %0 : u64 = load @1\n %1 : s64 = const 4096\n %2 : s64 = const 8\n"
      " copy_user %0, %1, %2\n %3 : s32 = const -1\n store_scratch 2, %0, %3\n"
      " %4 : u32 = load_kernel %0\n store @0, %4\n"
      " %5 : u64 = add %0, %2\n %6 : s64 = const 4\n %7 : u64 = add %5, %6\n"
      " store_scratch 4, %5, %3\n store_scratch 1, %7, %3 #1\n return\n}\n"
      "clause \"c\" {\n b0:\n %0 : s64 = const 16376\n %1 : u64 = alloca 1, %0 #2\n return\n}");
  run.environment.kernel[0x2000].resize(12);
  run.fire();
  EXPECT_EQ((run.state.variables[{0, {}}].integer), 0x7800ffff);
  ASSERT_EQ(run.firing.faults.size(), 2U);
  EXPECT_EQ(run.firing.faults[0].fault, record::Fault::kBadAddress);
  EXPECT_EQ(run.firing.faults[0].action, 1U);
  EXPECT_EQ(run.firing.faults[1].fault, record::Fault::kNoScratch);
  run.fire();
  EXPECT_EQ(run.firing.faults.size(), 2U) << "what a firing allocates is there for the next";
}

TEST(Interpret, BytesAndStringsAreWrittenToScratchMemoryWhole) {
  Trial run(
      "string $0 \"abc\"\n"
      "var @0 global \"b\" : bytes3\nvar @1 global \"i\" : u32\nvar @2 global \"j\" : u64\n"
      "clause \"a\" {\n b0:\n %0 : s64 = const 16\n %1 : u64 = alloca 0, %0\n"
      " %2 : s64 = const 3351057\n store_part @0, 0, u16, %2\n %3 : bytes3 = load @0\n"
      " store_scratch 3, %1, %3\n %4 : u32 = load_kernel %1\n store @1, %4\n"
      " %5 : str8 = string $0\n store_scratch 8, %1, %5\n %6 : u64 = load_kernel %1\n"
      " store @2, %6\n %7 : s64 = const 9\n %8 : u64 = add %1, %7\n"
      " store_scratch 8, %8, %5 #1\n return\n}");
  run.fire();
  EXPECT_EQ((run.state.variables[{1, {}}].integer), 0x2211);
  EXPECT_EQ((run.state.variables[{2, {}}].integer), 0x636261);
  ASSERT_EQ(run.firing.faults.size(), 1U) << "not past what was allocated";
  EXPECT_EQ(run.firing.faults[0].fault, record::Fault::kBadAddress);
}

TEST(Interpret, StringsEndAtTheirNulOrTheirCapacity) {
  Trial run(
      "var @0 global \"a\" : str8\nvar @1 global \"b\" : str8\nvar @2 global \"c\" : str8\n"
      "clause \"a\" {\n b0:\n %0 : s64 = const 4096\n %1 : str8 = copyinstr %0\n store @0, %1\n"
      " %2 : s64 = const 1\n %3 : str8 = copyinstr %0, %2\n store @1, %3\n"
      " %4 : s64 = const 8196\n %5 : str4 = kernel_string %4\n store @2, %5\n return\n}");
  EXPECT_TRUE(run.fire().faults.empty());
  const auto text = [&](std::uint32_t v) {
    return std::string(reinterpret_cast<const char*>(run.state.variables[{v, {}}].bytes.data()));
  };
  EXPECT_EQ(text(0), "hi");
  EXPECT_EQ(text(1), "h");
  EXPECT_EQ(text(2), "lon");
}

TEST(Interpret, AStringThatRunsOutOfReadableMemoryFaults) {
  Trial run("clause \"a\" {\n b0:\n %0 : s64 = const 4100\n %1 : str16 = copyinstr %0\n return\n}");
  ASSERT_EQ(run.fire().faults.size(), 1U);
  EXPECT_EQ(run.firing.faults[0].address, 4100U);
}

TEST(Interpret, ATextThatCannotBeReadIsOneByteAndNoFault) {
  Trial run(
      "var @0 global \"a\" : str8\nvar @1 global \"b\" : str16\nvar @2 global \"c\" : str8\n"
      "clause \"a\" {\n b0:\n %0 : s64 = const 4096\n %1 : str8 = user_text 1, %0\n store @0, %1\n"
      " %2 : s64 = const 4100\n %3 : str16 = user_text 1, %2\n store @1, %3\n"
      " %4 : s64 = const 8196\n %5 : str4 = kernel_text 1, %4\n store @2, %5\n return\n}");
  EXPECT_TRUE(run.fire().faults.empty());
  const auto text = [&](std::uint32_t v) {
    return std::string(reinterpret_cast<const char*>(run.state.variables[{v, {}}].bytes.data()));
  };
  EXPECT_EQ(text(0), "hi");
  EXPECT_EQ(text(1), "\x01");
  EXPECT_EQ(text(2), "lon");
}

TEST(Interpret, AnIntegerThatCannotBeReadIsZeroAndSaysSo) {
  Trial run(
      "clause \"a\" {\n record { trace int2u, trace int1u, trace int8u, trace int1u }\n b0:\n"
      " %0 : s64 = const 4096\n %1 : bytes16 = try_user 2, %0\n %2 : u16 = part 0, %1\n"
      " %3 : u8 = part 8, %1\n %4 : s64 = const 16384\n %5 : bytes16 = try_kernel 8, %4\n"
      " %6 : u64 = part 0, %5\n %7 : u8 = part 8, %5\n emit %2, %3, %6, %7\n return\n}");
  ASSERT_EQ(run.fire().records.size(), 1U);
  EXPECT_TRUE(run.firing.faults.empty());
  const Bytes& record = run.firing.records[0];
  const Bytes tail(record.end() - 24, record.end());
  EXPECT_EQ(tail,
            (Bytes{'h', 'i', 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0}));
}

TEST(Interpret, StoringZeroFreesAndKeysAreCutToTheirWidth) {
  Trial run(
      "var @0 global \"x\" [s32] : s64\nclause \"a\" {\n b0:\n %0 : s64 = const 4294967301\n"
      " %1 : s64 = const 5\n store @0, %0, %1\n %2 : s64 = load @0, %1\n %3 : s64 = sub %2, %1\n"
      " branch %3, b1, b2\n b1:\n return\n b2:\n %4 : s64 = builtin arg0\n store @0, %1, %4\n"
      " return\n}");
  run.fire();
  EXPECT_TRUE(run.state.variables.empty());
  run.environment.arguments[0] = 9;
  run.fire();
  EXPECT_EQ((run.state.variables.at({0, {5, 0, 0, 0}}).integer), 9);
}

TEST(Interpret, ThreadsHaveTheirOwnVariables) {
  Trial run(
      "var @0 thread \"x\" : s64\nclause \"a\" {\n b0:\n %0 : s64 = const 1\n"
      " atomic_add @0, %0\n return\n}");
  run.fire();
  run.environment.integers[Builtin::kTid] = 9;
  run.fire();
  run.fire();
  ASSERT_EQ(run.state.variables.size(), 2U);
  EXPECT_EQ((run.state.variables.at({0, {8, 0, 0, 0, 0, 0, 0, 0}}).integer), 1);
  EXPECT_EQ((run.state.variables.at({0, {9, 0, 0, 0, 0, 0, 0, 0}}).integer), 2);
}

TEST(Interpret, ClauseLocalsLastOneFiring) {
  Trial run(
      "var @0 clause \"t\" : s8\nagg @0 \"a\" max\nclause \"a\" {\n b0:\n"
      " %0 : s64 = const 1\n atomic_add @0, %0\n return\n}\n"
      "clause \"b\" {\n b0:\n %0 : s8 = load @0\n aggregate @0, %0\n return\n}");
  run.fire();
  run.fire();
  EXPECT_EQ((run.state.aggregations[{0, {}}]), std::vector<std::uint64_t>{1});
}

TEST(Interpret, AggregationsCountAsTheirWordsSay) {
  Trial run(
      "agg @0 \"c\" count [str8]\nagg @1 \"s\" stddev\nagg @2 \"m\" min\nagg @3 \"q\" quantize\n"
      "agg @4 \"l\" lquantize(0, 10, 5)\nclause \"a\" {\n b0:\n %0 : s64 = builtin arg0\n"
      " %1 : str16 = builtin execname\n aggregate @0, %1\n aggregate @1, %0\n aggregate @2, %0\n"
      " %2 : s64 = const 3\n aggregate @3, %0, %2\n aggregate @4, %0\n return\n}");
  run.environment.arguments[0] = -5;
  run.fire();
  run.environment.arguments[0] = INT64_MIN;
  run.fire();
  auto& aggs = run.state.aggregations;
  EXPECT_EQ((aggs[{0, {'b', 'a', 's', 'h', 0, 0, 0, 0}}]), std::vector<std::uint64_t>{2});
  // 25 + 2^126
  EXPECT_EQ((aggs[{1, {}}]),
            (std::vector<std::uint64_t>{2, static_cast<std::uint64_t>(INT64_MIN) - 5, UINT64_MAX,
                                        25, 1ULL << 62}));
  EXPECT_EQ((aggs[{2, {}}]), std::vector<std::uint64_t>{static_cast<std::uint64_t>(INT64_MIN)});
  EXPECT_EQ((aggs[{3, {}}][60]), 3U);
  EXPECT_EQ((aggs[{3, {}}][0]), 3U);
  EXPECT_EQ((aggs[{4, {}}]), (std::vector<std::uint64_t>{2, 0, 0, 0}));
}

TEST(Interpret, TheFirstExitCountsAndTheFiringGoesOn) {
  Trial run(
      "agg @0 \"a\" count\nclause \"a\" {\n b0:\n %0 : s64 = const 3\n exit %0\n"
      " %1 : s64 = const 4\n exit %1\n aggregate @0\n return\n}");
  run.fire();
  EXPECT_EQ(run.state.exit_status, 3);
  EXPECT_EQ(run.state.aggregations.size(), 1U);
}

TEST(Interpret, StacksArePaddedAndUserFramesNameTheirProcess) {
  Trial run(
      "clause \"a\" {\n record { stack stack24, ustack ustack24, sym uaddr }\n b0:\n"
      " %0 : bytes24 = stack\n %1 : bytes24 = ustack\n %2 : s64 = const 16\n"
      " %3 : bytes16 = user_addr %2\n emit %0, %1, %3\n return\n}");
  run.environment.kernel_frames = {0x11, 0x22};
  run.environment.user_frames = {0x33, 0x44, 0x55};
  ASSERT_EQ(run.fire().records.size(), 1U);
  std::vector<int> words;
  const Bytes& record = run.firing.records[0];
  for (std::size_t i = 8; i < record.size(); i += 8) words.push_back(record[i]);
  EXPECT_EQ(words, (std::vector<int>{0x11, 0x22, 0, 7, 0x33, 0x44, 7, 0x10}));
}

// ---- A second front-end ------------------------------------------------------------

// "<variable> < <limit> ? count : stop", the whole of a language.
Program counter_language(std::int64_t limit) {
  Program program;
  program.variables.push_back({"n", Scope::kGlobal, Type::s32(), {}});
  FunctionBuilder b;
  const BlockId count = b.block();
  const BlockId stop = b.block();
  const ValueId n = b.load(0, Type::s32());
  b.branch(b.binary(Op::kLtS, n, b.constant(limit), Type::s32()), count, stop);
  b.enter(count);
  b.atomic_add(0, {b.constant(1)});
  b.ret();
  b.enter(stop);
  b.exit(n);
  b.emit({n});

  EcbDesc clause;
  clause.points = {probe::parse_point("timer.s(1)")};
  record::Layout& layout = clause.layouts.emplace_back();
  layout.fields = {{{record::FieldKind::kInt, 4, true}, 0}};
  record::Action action;
  action.kind = record::ActionKind::kExit;
  action.field_count = 1;
  layout.actions = {action};
  layout.urgent = true;
  record::place_fields(layout);
  clause.body = b.finish();
  program.clauses.push_back(std::move(clause));
  return program;
}

TEST(SecondFrontEnd, ItsProgramIsWellFormedPrintsAndRuns) {
  const Program program = counter_language(2);
  EXPECT_EQ(verify(program), std::vector<std::string>{});
  EXPECT_EQ(print(program),
            "program strsize=256\n"
            "var @0 global \"n\" : s32\n"
            "clause \"timer.s(1)\" {\n"
            "  record { exit int4s } urgent\n"
            "  b0:\n"
            "    %0 : s32 = load @0\n"
            "    %1 : s64 = const 2\n"
            "    %2 : s32 = lt_s %0, %1\n"
            "    branch %2, b1, b2\n"
            "  b1:\n"
            "    %3 : s64 = const 1\n"
            "    atomic_add @0, %3\n"
            "    return\n"
            "  b2:\n"
            "    exit %0\n"
            "    emit %0\n"
            "    return\n"
            "}\n");
  TableEnvironment environment;
  State state;
  const ClauseEpid clause{0, 1};
  for (int i = 0; i < 3; ++i) {
    EXPECT_FALSE(state.exit_status.has_value());
    interpret(program, std::span(&clause, 1), environment, state);
  }
  EXPECT_EQ(state.exit_status, 2);
}

TEST(Builder, BlocksAreSortedForwardAndUnreachedOnesDropped) {
  FunctionBuilder b;
  const BlockId join = b.block();
  const BlockId unused = b.block();
  const BlockId then = b.block();
  b.branch(b.builtin(Builtin::kPid), then, join);
  b.enter(then);
  b.jump(join);
  b.enter(join);
  b.ret();
  b.constant(1);  // after the end: cannot run
  b.enter(unused);
  b.ret();
  EXPECT_EQ(print(b.finish()),
            "  b0:\n    %0 : s32 = builtin pid\n    branch %0, b1, b2\n"
            "  b1:\n    jump b2\n"
            "  b2:\n    return\n");
}

}  // namespace
}  // namespace dt::ir

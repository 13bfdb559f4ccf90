// The shape of what is lowered: layouts, keys, atomic adds, clauses with several layouts.

#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>

#include "ir/print.h"
#include "ir/verify.h"
#include "testing/d/fake_world.h"
#include "testing/ir/table_environment.h"

namespace dt::d {
namespace {

using record::ActionKind;
using record::FieldKind;

ir::Program lowered(const std::string& script) {
  FakeWorld world;
  auto program = world.compile(script);
  EXPECT_TRUE(program.has_value()) << script << "\n" << world.errors();
  if (!program) {
    return {};
  }
  for (const std::string& wrong : ir::verify(*program)) {
    ADD_FAILURE() << script << ": " << wrong;
  }
  return std::move(*program);
}

std::size_t count(const ir::EcbDesc& clause, ir::Op op) {
  std::size_t n = 0;
  for (const ir::Block& block : clause.body.blocks) {
    n += static_cast<std::size_t>(std::count_if(block.insts.begin(), block.insts.end(),
                                                [op](const ir::Inst& i) { return i.op == op; }));
  }
  return n;
}

// The record's line of the text form: what is recorded, in short.
std::string record_of(const std::string& script) {
  const std::string text = ir::print(lowered(script));
  const std::size_t begin = text.find("  record { ");
  if (begin == std::string::npos) {
    return "";
  }
  return text.substr(begin + 11, text.find('\n', begin) - begin - 11);
}

// Fires all clauses once; the last number of every record, as text.
std::vector<std::int32_t> fire(const ir::Program& program) {
  ir::TableEnvironment env;
  env.integers[ir::Builtin::kPid] = 42;
  ir::State state;
  std::vector<ir::ClauseEpid> clauses;
  for (std::uint32_t i = 0; i < program.clauses.size(); ++i) {
    clauses.push_back({i, i + 1});
  }
  std::vector<std::int32_t> out;
  for (const ir::Bytes& record : ir::interpret(program, clauses, env, state).records) {
    std::int32_t value = 0;
    std::memcpy(&value, record.data() + 8, 4);
    out.push_back(value);
  }
  return out;
}

TEST(Lower, ActionsRecordTheirArgumentsWithTheirTypes) {
  EXPECT_EQ(record_of("BEGIN { trace(pid); }"), "trace int4s }");
  EXPECT_EQ(record_of("BEGIN { trace(arg0); }"), "trace int8s }");
  EXPECT_EQ(record_of("BEGIN { trace(timestamp); }"), "trace int8u }");
  EXPECT_EQ(record_of("BEGIN { trace((char)1); }"), "trace int1s }");
  EXPECT_EQ(record_of("BEGIN { trace(execname); }"), "trace str16 }");
  EXPECT_EQ(record_of("BEGIN { trace(\"seven b\"); }"), "trace str8 }");
  EXPECT_EQ(record_of("BEGIN { trace(copyinstr(arg0)); }"), "trace str257 }");
  EXPECT_EQ(record_of("BEGIN { trace(copyinstr(arg0, 10)); }"), "trace str11 }");
  EXPECT_EQ(record_of("BEGIN { trace(probefunc); }"), "trace probefunc }");
  EXPECT_EQ(record_of("BEGIN { trace((void *)arg0); }"), "trace int8u }");
  EXPECT_EQ(record_of("BEGIN { tracemem(arg0, 20); }"), "tracemem bytes20 }");
  EXPECT_EQ(record_of("BEGIN { tracemem(arg0, 20, pid); }"), "tracemem bytes20 int8s }");
  EXPECT_EQ(record_of("BEGIN { stack(); }"), "stack stack160 }");
  EXPECT_EQ(record_of("BEGIN { ustack(3); }"), "ustack ustack32 }");
  EXPECT_EQ(record_of("BEGIN { sym(arg0); mod(arg0); usym(arg0); uaddr(arg0); umod(arg0); }"),
            "sym sym, sym mod, sym usym, sym uaddr, sym umod }");
  EXPECT_EQ(record_of("BEGIN { exit(3); }"), "exit int4s } urgent");
  EXPECT_EQ(record_of("BEGIN { printf(\"%d %s %A %a %p\", pid, probename, arg0, arg1, arg2); }"),
            "printf \"%d %s %A %a %p\" int4s probename uaddr int8s int8s }");
  EXPECT_EQ(record_of("BEGIN { printf(\"%*d%k\", pid, 1, stack(2)); }"),
            "printf \"%*d%k\" int4s int4s stack16 }");
  EXPECT_EQ(
      record_of(
          "BEGIN { @a = count(); printa(@a); trunc(@a, 5); normalize(@a, 2); denormalize(@a); }"),
      "printa @0, trunc @0 int8s, normalize @0 int8u, denormalize @0 } urgent");
  EXPECT_EQ(record_of("BEGIN { @a = count(); @b = sum(1); printa(\"%@d %@d\", @a, @b); }"),
            "printa \"%@d %@d\" @0 @1 } urgent");
}

TEST(Lower, AClauseRecordsOnceOrNotAtAll) {
  const ir::Program nothing = lowered("BEGIN { x = 1; @ = count(); }");
  EXPECT_TRUE(nothing.clauses[0].layouts.empty());
  EXPECT_EQ(count(nothing.clauses[0], ir::Op::kEmit), 0u);
  const ir::Program twice = lowered("BEGIN { trace(1); trace(2); }");
  EXPECT_EQ(twice.clauses[0].layouts.size(), 1u);
  EXPECT_EQ(count(twice.clauses[0], ir::Op::kEmit), 1u);
  const ir::Program empty = lowered("BEGIN { }");
  ASSERT_EQ(empty.clauses[0].layouts.at(0).actions.size(), 1u);
  EXPECT_EQ(empty.clauses[0].layouts.at(0).actions[0].kind, ActionKind::kDefault);
  EXPECT_EQ(count(empty.clauses[0], ir::Op::kEmit), 1u);
}

TEST(Lower, RecordedValuesAreThoseAtTheTimeOfTheAction) {
  const ir::Program program = lowered("BEGIN { x = 1; trace(x); x = 2; }");
  EXPECT_EQ(fire(program), std::vector<std::int32_t>{1});
}

TEST(Lower, CountersAreAddedToAtomically) {
  const ir::Program program =
      lowered("BEGIN { x++; x += 5; y[pid]--; self->a[1] += 2; } END { z = x++; }");
  EXPECT_EQ(count(program.clauses[0], ir::Op::kAtomicAdd), 4u);
  EXPECT_EQ(count(program.clauses[0], ir::Op::kStore), 0u);
  EXPECT_EQ(count(program.clauses[1], ir::Op::kAtomicAdd), 0u);
  const ir::Program local = lowered("BEGIN { this->x++; self->y++; c = (_Bool)1; c++; }");
  EXPECT_EQ(count(local.clauses[0], ir::Op::kAtomicAdd), 0u);
}

TEST(Lower, StringsAreAsLargeAsWhatReachesThem) {
  const ir::Program program = lowered(
      "BEGIN { self->n = execname; b = self->n; b = \"0123456789abcdef\"; a[execname] = 1; "
      "a[\"x\"] = 2; big = copyinstr(arg0); }");
  EXPECT_EQ(program.variables[0].type, ir::Type::string(16));
  EXPECT_EQ(program.variables[1].type, ir::Type::string(24));
  EXPECT_EQ(program.variables[2].keys[0], ir::Type::string(16));
  EXPECT_EQ(program.variables[3].type, ir::Type::string(257));
}

TEST(Lower, StringSizeIsAnOption) {
  const ir::Program program = lowered(
      "#pragma D option strsize=12\nBEGIN { s = copyinstr(arg0); t = \"a very long string\"; }");
  EXPECT_EQ(program.string_size, 13u);
  EXPECT_EQ(program.variables[0].type, ir::Type::string(13));
  EXPECT_EQ(program.variables[1].type, ir::Type::string(13));
  EXPECT_EQ(program.strings[0], "a very long ");
}

TEST(Lower, KeysOfAggregationsAreKeptSmall) {
  const ir::Program program = lowered(
      "BEGIN { @a[execname, probefunc, pid, stack(2), usym(arg0)] = count(); @b[probefunc] = "
      "count(); "
      "@b[\"x\"] = count(); @c[execname] = sum(1); @c[\"a name of more than sixteen\"] = sum(1); "
      "}");
  ASSERT_EQ(program.aggregations.size(), 3u);
  const auto& a = program.aggregations[0].keys;
  ASSERT_EQ(a.size(), 5u);
  EXPECT_EQ(a[0].type, (record::FieldType{FieldKind::kString, 16, false}));
  EXPECT_EQ(a[1].type.kind, FieldKind::kProbeFunc);
  EXPECT_EQ(a[2].type, (record::FieldType{FieldKind::kInt, 4, true}));
  EXPECT_EQ(a[3].type, (record::FieldType{FieldKind::kStack, 16, false}));
  EXPECT_EQ(a[4].type.kind, FieldKind::kUsym);
  EXPECT_GT(program.aggregations[0].key_bytes, 0u);
  EXPECT_EQ(program.aggregations[1].keys[0].type.kind, FieldKind::kString);
  EXPECT_EQ(program.aggregations[2].keys[0].type.size, 32u);
}

TEST(Lower, NoUseOfAKeyLosesBits) {
  const ir::Program program = lowered(
      "BEGIN { a[1] = 2; a[5000000000] = 3; b[uid] = 1; b[pid] = 2; c[pid] = 1; c[1] = 2; "
      "@x[pid] = count(); @x[arg0] = count(); @y[pid] = count(); @y[uid] = count(); }");
  EXPECT_EQ(program.variables[0].keys[0], ir::Type::s64());
  EXPECT_EQ(program.variables[1].keys[0], ir::Type::s64());
  EXPECT_EQ(program.variables[2].keys[0], ir::Type::s32());
  EXPECT_EQ(program.aggregations[0].keys[0].type, (record::FieldType{FieldKind::kInt, 8, true}));
  EXPECT_EQ(program.aggregations[1].keys[0].type, (record::FieldType{FieldKind::kInt, 8, true}));
}

TEST(Lower, AggregationsThatAreClearedAreDrained) {
  const ir::Program program = lowered(
      "BEGIN { @a = count(); @b = count(); @c = count(); clear(@a); trunc(@b); normalize(@c, 2); "
      "}");
  EXPECT_TRUE(program.aggregations[0].drained);
  EXPECT_TRUE(program.aggregations[1].drained);
  EXPECT_FALSE(program.aggregations[2].drained);
}

TEST(Lower, QuantizationTakesParametersAndIncrements) {
  const ir::Program program = lowered(
      "BEGIN { @q = quantize(arg0); @r = quantize(arg0, arg1); @l = lquantize(arg0, 0, 100, 10, "
      "3); "
      "@m = llquantize(arg0, 10, 0, 3, 20, 2); @d = lquantize(arg0, 0, 5); }");
  EXPECT_EQ(program.aggregations[2].params.step, 10);
  EXPECT_EQ(program.aggregations[2].value_words, 12u);
  EXPECT_EQ(program.aggregations[3].params.nsteps, 20u);
  EXPECT_EQ(program.aggregations[4].params.step, 1);
  std::vector<std::size_t> operands;
  for (const ir::Inst& inst : program.clauses[0].body.blocks[0].insts) {
    if (inst.op == ir::Op::kAggregate) {
      operands.push_back(inst.args.size());
    }
  }
  EXPECT_EQ(operands, (std::vector<std::size_t>{1, 2, 2, 2, 1}));
}

TEST(Lower, BranchesThatRecordHaveLayoutsOfTheirOwn) {
  const ir::Program program = lowered(
      "BEGIN { trace(1); if (pid == 42) { trace(2); if (pid == 1) trace(3); else trace(4); } "
      "else { trace(5); } trace(6); }");
  ASSERT_EQ(program.clauses.size(), 1u);
  EXPECT_EQ(program.clauses[0].layouts.size(), 6u);
  EXPECT_TRUE(program.variables.empty());
  EXPECT_EQ(fire(program), (std::vector<std::int32_t>{1, 2, 4, 6}));
}

TEST(Lower, AnIfWhoseConditionIsConstantDividesNoRecord) {
  const ir::Program program = lowered(
      "BEGIN { trace(1); if (0) { trace(2); } if (2 > 1) trace(3); else trace(4); trace(5); }");
  ASSERT_EQ(program.clauses.size(), 1u);
  ASSERT_EQ(program.clauses[0].layouts.size(), 1u);
  EXPECT_EQ(program.clauses[0].layouts[0].actions.size(), 3u);
  EXPECT_EQ(lowered("BEGIN { if (0) { trace(1 / pid); } }").clauses[0].layouts.size(), 0u);
}

TEST(Lower, AFaultInOneSegmentStopsTheRest) {
  const ir::Program program = lowered(
      "int zero; BEGIN { trace(1); if (pid) { trace(2 / zero); } trace(3); } BEGIN { trace(4); }");
  EXPECT_EQ(fire(program), (std::vector<std::int32_t>{1, 4}));
}

TEST(Lower, ThePredicateHoldsForEverySegment) {
  const ir::Program program = lowered(
      "BEGIN /pid == 1/ { trace(1); if (uid) { trace(2); } trace(3); } BEGIN { trace(4); }");
  EXPECT_EQ(fire(program), std::vector<std::int32_t>{4});
}

TEST(Lower, ATernaryOfActionsIsAnIf) {
  const ir::Program program = lowered("BEGIN { pid == 42 ? trace(1) : trace(2); }");
  EXPECT_EQ(fire(program), std::vector<std::int32_t>{1});
}

TEST(Lower, ASpeculationThatABranchBeginsGoesOnBehindIt) {
  const std::string fields = record_of("BEGIN { if (pid == 1) { speculate(7); } trace(1); }");
  EXPECT_EQ(fields, "speculate int4s }");
  const ir::Program program =
      lowered("BEGIN { if (pid == 42) { speculate(7); } else { x = 1; } trace(1); }");
  EXPECT_EQ(program.clauses[0].layouts.back().actions.back().kind, ActionKind::kSpeculate);
  ir::TableEnvironment env;
  for (const std::int32_t pid : {42, 1}) {
    env.integers[ir::Builtin::kPid] = pid;
    ir::State state;
    state.speculations[0] = 7;
    const std::vector<ir::ClauseEpid> clauses = {{0, 1, 1}};
    const ir::Bytes record = ir::interpret(program, clauses, env, state).records.back();
    std::int32_t id = 0;
    std::memcpy(&id, record.data() + 12, 4);
    EXPECT_EQ(id, pid == 42 ? 7 : -1);
  }
}

TEST(Lower, TheConditionIsThatBeforeTheBranchRan) {
  const ir::Program program =
      lowered("BEGIN { x = 1; if (x == 1) { x = 2; trace(x); } else { trace(9); } }");
  EXPECT_EQ(fire(program), std::vector<std::int32_t>{2});
}

TEST(Lower, BranchesWithoutRecordsStayInTheirClause) {
  const ir::Program program =
      lowered("BEGIN { if (pid) { @a = count(); } else { x++; } trace(1); }");
  EXPECT_EQ(program.clauses.size(), 1u);
}

TEST(Lower, EveryProbeOfAClauseIsKeptAsWritten) {
  const ir::Program program = lowered("syscall::read:entry, BEGIN, tick-1s { trace(1); }");
  std::vector<std::string> points;
  for (const probe::Point& point : program.clauses[0].points) {
    points.push_back(probe::to_string(point));
  }
  EXPECT_EQ(points, (std::vector<std::string>{"syscall::read:entry", "BEGIN", "tick-1s"}));
  EXPECT_EQ(program.clauses[0].points[0].pattern.function, "read");
}

TEST(Lower, ArgsHaveTheTypesOfTheProbe) {
  EXPECT_EQ(record_of("syscall::read:entry { trace(args[0]); }"), "trace int4u }");
  EXPECT_EQ(record_of("syscall::read:entry { trace(stringof(args[1])); }"), "trace str257 }");
  const ir::Program program = lowered("syscall::read:entry { trace(stringof(args[1])); }");
  EXPECT_EQ(count(program.clauses[0], ir::Op::kCopyinstr), 1u);
}

TEST(Lower, EveryInstructionSaysWhereItComesFrom) {
  const ir::Program program = lowered("BEGIN { x = 1; trace(x / pid); }");
  for (const ir::Block& block : program.clauses[0].body.blocks) {
    for (const ir::Inst& inst : block.insts) {
      EXPECT_GT(inst.span.end, inst.span.begin) << ir::op_name(inst.op);
      if (inst.op == ir::Op::kDivS) {
        EXPECT_EQ(inst.action, 2u);
        EXPECT_EQ(inst.span.begin, 21u);
      }
    }
  }
}

TEST(Lower, TheTypedTreeCanBeShown) {
  FakeWorld world;
  front::Dump dump;
  dump.want_typed = true;
  ASSERT_TRUE(world.compile(
      "syscall::read:entry /pid == 1/ { self->t = timestamp; @a[execname] = avg(arg0 + 1); }",
      &dump));
  EXPECT_EQ(dump.typed,
            "var thread t : uint64_t\n"
            "agg @a[string] avg\n"
            "clause syscall::read:entry\n"
            "  predicate\n"
            "    binary == : int\n"
            "      pid : pid_t builtin\n"
            "      1 : int constant\n"
            "  expr\n"
            "    assign = : uint64_t\n"
            "      self->t : uint64_t thread\n"
            "      timestamp : uint64_t builtin\n"
            "  expr\n"
            "    assign = : void\n"
            "      @a : void\n"
            "        execname : string builtin\n"
            "      call avg : void aggregating\n"
            "        binary + : int64_t\n"
            "          arg0 : int64_t builtin\n"
            "          1 : int constant\n");
}

TEST(Lower, TenThousandClausesCompile) {
  std::string script;
  for (int i = 0; i < 10000; ++i) {
    script += "syscall::read:entry /pid == 1/ { @a[execname] = count(); x++; }\n";
  }
  FakeWorld world;
  EXPECT_TRUE(world.compile(script));
}

}  // namespace
}  // namespace dt::d

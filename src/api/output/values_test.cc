#include "api/output/values.h"

#include <gtest/gtest.h>

#include "record/drop.h"
#include "testing/consumer/trial.h"

namespace dt::api {
namespace {

using namespace consumer::testing;

// A consumer by hand whose records are kept as values.
struct Kept : consumer::testing::Trial {
  Kept() : values(schema, sources, callbacks) {
    receiver = &values;
    callbacks.record = [this](const dtrace::Record& record) { records.push_back(record); };
    callbacks.message = [this](const dtrace::Message& message) {
      messages.push_back(message.text);
    };
  }
  // What the only value of the only record is.
  dtrace::Value only() {
    EXPECT_EQ(records.size(), 1U);
    return records.empty() || records[0].actions.empty() ? dtrace::Value()
                                                         : records[0].actions[0].values.at(0);
  }
  Callbacks callbacks;
  Values values;
  std::vector<dtrace::Record> records;
  std::vector<std::string> messages;
};

TEST(Values, IntegersKeepTheirSign) {
  Kept run;
  const auto epid =
      run.clause(ActionKind::kPrintf, {int_type(1), int_type(8, false), int_type(2)}, "%d %u %d");
  run.consume(epid, {int_bytes(0xff, 1), int_bytes(~0ULL), int_bytes(0x8000, 2)}, 3);
  ASSERT_EQ(run.records.size(), 1U);
  EXPECT_EQ(run.records[0].cpu, 3U);
  const dtrace::Action& action = run.records[0].actions[0];
  EXPECT_EQ(action.text, "-1 18446744073709551615 -32768");
  EXPECT_EQ(action.values[0], (dtrace::Value{"", "int8", std::int64_t{-1}}));
  EXPECT_EQ(action.values[1], (dtrace::Value{"", "uint64", ~std::uint64_t{0}}));
  EXPECT_EQ(action.values[2], (dtrace::Value{"", "int16", std::int64_t{-32768}}));
}

TEST(Values, StringsEndAndAreExact) {
  Kept run;
  run.options.to_terminal = true;
  const auto epid = run.clause(ActionKind::kTrace, {type(FieldKind::kString, 8)});
  run.consume(epid, {"a\x1b\xff"});
  EXPECT_EQ(run.only(), (dtrace::Value{"", "string", std::string("a\x1b\xff")}));
}

TEST(Values, MemoryIsAsMuchAsCounts) {
  Kept run;
  const auto epid = run.clause(ActionKind::kTracemem, {type(FieldKind::kBytes, 8), int_type(8)});
  run.consume(epid, {"abcdefgh", int_bytes(3)});
  EXPECT_EQ(run.only(), (dtrace::Value{"", "bytes", dtrace::Bytes{'a', 'b', 'c'}}));
  ASSERT_EQ(run.records[0].actions[0].values.size(), 1U);
  EXPECT_EQ(to_text(run.only()), "616263");
}

TEST(Values, StacksAreFramesAsFarAsTheyAreKnown) {
  Kept run;
  const auto epid = run.clause(ActionKind::kStack, {type(FieldKind::kStack, 40)});
  run.consume(epid, {word_bytes({0x1010, 0x2000, 0x3008, 0x9999})});
  EXPECT_EQ(run.only().data,
            (decltype(dtrace::Value::data)(dtrace::Stack{{{0x1010, "vmlinux", "f", 0x10},
                                                          {0x2000, "mod", "g", 0},
                                                          {0x3008, "mod", "", 0},
                                                          {0x9999, "", "", 0}}})));
  EXPECT_EQ(to_text(run.only()), "vmlinux`f+0x10 mod`g mod`0x3008 0x9999");
  Kept user;
  const auto ustack = user.clause(ActionKind::kUstack, {type(FieldKind::kUstack, 24)});
  user.consume(ustack, {word_bytes({12, 0x1004, 0x2008})});
  EXPECT_EQ(to_text(user.only()), "a.out`f+0x4 a.out`g+0x8");
}

TEST(ValuesAsText, AFrameSaysWhereItIsAsTheCommandDoes) {
  const dtrace::Frame inlined{0x1000, "a.out", "h", 0, "/src/h.h", 7, true};
  const dtrace::Frame around{0x1000, "a.out", "g", 8, "/src/g.c", 9};
  const dtrace::Value value{"", "stack", dtrace::Stack{{inlined, around}}};
  EXPECT_EQ(to_text(value), "a.out`h (inlined) at h.h:7 a.out`g+0x8 at g.c:9");
}

TEST(Values, StructuresAreMembersWithinMembers) {
  using record::ShapeKind;
  Kept run;
  record::Layout layout;
  layout.fields = {{type(FieldKind::kBytes, 16), 0}};
  layout.shapes = {{ShapeKind::kStruct,
                    false,
                    16,
                    "struct s",
                    {{"a", 1, 0, 0}, {"bits", 1, 32, 3}, {"in", 2, 64, 0}, {"", 4, 96, 0}},
                    {},
                    0,
                    0},
                   {ShapeKind::kInt, true, 4, "int", {}, {}, 0, 0},
                   {ShapeKind::kArray, false, 4, "short [2]", {}, {}, 3, 2},
                   {ShapeKind::kInt, true, 2, "short", {}, {}, 0, 0},
                   {ShapeKind::kUnion, false, 4, "union (anon)", {{"u", 5, 0, 0}}, {}, 0, 0},
                   {ShapeKind::kEnum, false, 4, "enum e", {}, {{"RED", 7}}, 0, 0}};
  Action action;
  action.kind = ActionKind::kPrint;
  action.field_count = 1;
  action.shape = 0;
  layout.actions.push_back(action);
  record::place_fields(layout);
  const auto epid = run.bind(std::move(layout));
  run.consume(epid, {int_bytes(0xfffffffe, 4) + int_bytes(5, 4) + int_bytes(1, 2) +
                     int_bytes(0xffff, 2) + int_bytes(7, 4)});
  const dtrace::Value value = run.only();
  EXPECT_EQ(value.type, "struct s");
  EXPECT_EQ(to_text(value), "{a = -2, bits = -3, in = [1, -1], u = RED}");
  const auto& members = std::get<dtrace::Structure>(value.data).members;
  EXPECT_EQ(members[2].type, "short [2]");
  EXPECT_EQ(members[3], (dtrace::Value{"u", "enum e", std::string("RED")}));
}

TEST(Values, ARecordIsUsedAgainAndNothingStays) {
  Kept run;
  const auto big = run.clause(ActionKind::kPrintf, {int_type(4), int_type(4)}, "%d %d");
  const auto small = run.clause(ActionKind::kTrace, {type(FieldKind::kString, 8)}, "", {}, 132);
  run.consume(big, {int_bytes(1, 4), int_bytes(2, 4)});
  run.consume(small, {"x"});
  ASSERT_EQ(run.records.size(), 2U);
  EXPECT_EQ(run.records[1],
            (dtrace::Record{0,
                            0,
                            small,
                            {132, "syscall", "vmlinux", "openat", "entry"},
                            {{"trace", "", {{"", "string", std::string("x")}}, {}}}}));
}

TEST(Values, SpeculativeRecordsComeWhenTheyAreCommitted) {
  Kept run;
  run.schema.speculations = 1;
  record::Layout layout;
  layout.fields = {{int_type(4), 0}, {int_type(4), 0}};
  Action speculate;
  speculate.kind = ActionKind::kSpeculate;
  speculate.field_count = 1;
  Action trace;
  trace.kind = ActionKind::kTrace;
  trace.first_field = 1;
  trace.field_count = 1;
  layout.actions = {speculate, trace};
  record::place_fields(layout);
  const auto kept = run.bind(std::move(layout));
  const auto commit = run.clause(ActionKind::kCommit, {int_type(4)});
  run.consume(kept, {int_bytes(1, 4), int_bytes(42, 4)});
  EXPECT_TRUE(run.records.empty());
  run.consume(commit, {int_bytes(1, 4)});
  EXPECT_EQ(to_text(run.only()), "42");
  EXPECT_EQ(run.records[0].actions.size(), 1U);
}

TEST(Values, DropsAreMessagesUntilSomebodyTakesThem) {
  Kept run;
  std::vector<std::uint64_t> counters(record::kDropCounters);
  counters[0] = 3;
  run.consumer().report_drops(counters);
  EXPECT_EQ(run.messages, std::vector<std::string>{"3 drops on CPU 0"});
  std::vector<dtrace::Drop> drops;
  run.callbacks.drop = [&](const dtrace::Drop& drop) { drops.push_back(drop); };
  counters[0] = 5;
  run.consumer().report_drops(counters);
  EXPECT_EQ(drops, (std::vector<dtrace::Drop>{{"PRINCIPAL", 0, 2, "2 drops on CPU 0"}}));
  EXPECT_EQ(run.messages.size(), 1U);
  EXPECT_TRUE(run.errors.empty());
}

}  // namespace
}  // namespace dt::api

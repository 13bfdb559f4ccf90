// A second language from its text to the IR, and what it means, without any kernel.

#include "testing/front/toy.h"

#include <gtest/gtest.h>

#include "ir/interpret.h"
#include "ir/print.h"
#include "ir/verify.h"
#include "testing/front/compiled.h"
#include "testing/ir/table_environment.h"

namespace dt::toy {
namespace {

struct Compiled : front::Compiled {
  explicit Compiled(std::string text)
      : front::Compiled(make_front_end(), "x.toy", std::move(text)) {}
};

TEST(Toy, ItsProgramIsWellFormedAndPrints) {
  const Compiled compiled(
      "# a comment\n"
      "on syscall.write.entry count execname\n"
      "on BEGIN print pid # and another one\n"
      "on profile.tick-1s stop\n");
  ASSERT_TRUE(compiled.program) << compiled.errors();
  EXPECT_EQ(ir::verify(*compiled.program), std::vector<std::string>{});
  EXPECT_EQ(ir::print(*compiled.program),
            "program strsize=256\n"
            "agg @0 \"execname\" count [str16]\n"
            "clause point(\"syscall\", \"\", \"write\", \"entry\") as \"syscall.write.entry\" {\n"
            "  b0:\n"
            "    %0 : str16 = builtin execname\n"
            "    aggregate @0, %0\n"
            "    return\n"
            "}\n"
            "clause \"BEGIN\" {\n"
            "  record { trace int4s }\n"
            "  b0:\n"
            "    %0 : s32 = builtin pid\n"
            "    emit %0\n"
            "    return\n"
            "}\n"
            "clause point(\"profile\", \"\", \"\", \"tick-1s\") as \"profile.tick-1s\" {\n"
            "  record { exit int4s } urgent\n"
            "  b0:\n"
            "    %0 : s32 = const 0\n"
            "    exit %0\n"
            "    emit %0\n"
            "    return\n"
            "}\n");
}

TEST(Toy, ItsProgramRunsInTheInterpreter) {
  const Compiled compiled("on BEGIN count pid\non BEGIN stop\n");
  ASSERT_TRUE(compiled.program) << compiled.errors();
  ir::TableEnvironment environment;
  environment.integers = {{ir::Builtin::kPid, 77}};
  ir::State state;
  const ir::ClauseEpid clauses[] = {{0, 1}, {1, 2}};
  ir::interpret(*compiled.program, clauses, environment, state);
  EXPECT_EQ(state.exit_status, 0);
  ASSERT_EQ(state.aggregations.size(), 1U);
}

TEST(Toy, WhatIsWrongIsMarked) {
  EXPECT_EQ(Compiled("count pid\n").errors(),
            "x.toy:1:1: error: a line begins with 'on'\ncount pid\n^~~~~\n");
  EXPECT_EQ(Compiled("on BEGIN count excname\n").errors(),
            "x.toy:1:16: error: 'excname' is no key\non BEGIN count excname\n"
            "               ^~~~~~~\nhint: did you mean 'execname'?\n");
  EXPECT_EQ(Compiled("on a.b.c.d stop\n").errors(),
            "x.toy:1:4: error: a point has at most three parts: PROVIDER.FUNCTION.NAME\n"
            "on a.b.c.d stop\n   ^~~~~~~\n");
}

TEST(Toy, LaterStagesSpeakPlainlyWhereTheLanguageHasNoWordsOfItsOwn) {
  Compiled compiled("on syscall.raed.entry count pid\n");
  ASSERT_TRUE(compiled.program) << compiled.errors();
  compiled.front_end->report(
      probe::explain_unmatched(compiled.probes, compiled.program->clauses[0].points[0]),
      compiled.diagnostics);
  EXPECT_EQ(compiled.errors(),
            "x.toy:1:4: error: no probe matches syscall.raed.entry\n"
            "on syscall.raed.entry count pid\n   ^~~~~~~~~~~~~~~~~~\n"
            "x.toy:1:4: note: none was compiled in\n"
            "on syscall.raed.entry count pid\n   ^~~~~~~~~~~~~~~~~~\n"
            "hint: the nearest is syscall:vmlinux:write:entry\n");
  ir::Refusal refusal{.code = ir::Refusal::Code::kNeedsTypes, .detail = "struct task_struct"};
  refusal.asks.op = ir::Op::kBuiltin;
  refusal.asks.builtin = ir::Builtin::kPpid;
  EXPECT_EQ(compiled.front_end->words(refusal).text,
            "ppid needs the kernel's type information (BTF) of struct task_struct");
  EXPECT_EQ(compiled.front_end->words(refusal).tag, "");
}

}  // namespace
}  // namespace dt::toy

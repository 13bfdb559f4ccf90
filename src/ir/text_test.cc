// The text form: what is printed is read back as the same program.

#include <gtest/gtest.h>

#include "ir/parse.h"
#include "ir/print.h"
#include "ir/verify.h"

namespace dt::ir {
namespace {

const char kEverything[] = R"(program strsize=256 destructive
var @0 global "x" : s64
var @1 thread "ts" : u64
var @2 global "seen" [s32, str16] : s64
var @3 clause "t" : str256
var @4 global "o" [s32] : bytes21
var @5 global "keys" [str16] : s64 room=2048
agg @0 "_" count [str16, usym, stack80, probefunc] drained
agg @1 "l" lquantize(-10, 100, 5)
agg @2 "ll" llquantize(10, 0, 6, 20) [int4u]
agg @3 "sums" sum [str16, int4s] drained
string $0 "quote \" backslash \\ newline \n byte \xff"
clause "syscall:::entry", "BEGIN" {
  record { trace int8s, printf "%d\n" int4s str16, printa "x" @0 @1, trunc @0 int8s, exit int4s } urgent
  b0:
    %0 : s64 = builtin arg3
    %1 : s32 = builtin pid #2
    %2 : s64 = const -9223372036854775808
    %3 : s32 = lt_s %0, %2
    branch %3, b1, b2(%0)
  b1:
    %4 : str16 = string $0
    %13 : str24 = call strjoin, %4, %4
    %14 : s64 = call strlen, %13
    store @2, %1, %4, %0
    %5 : bytes80 = stack
    %6 : s64 = div_s %0, %2 #3
    fault 4, %0
    jump b2(%6)
  b2(%7 : s64):
    %8 : str16 = builtin execname
    store_part @4, 3, u16, %1, %7
    store_part @4, 1, str8, %1, %0, %8
    %9 : s32 = load_part @4, 17, %1
    %10 : bytes21 = load @4, %1
    %11 : bytes3 = part 1, %10, %9
    clear @4, %1
    %15 : s32 = accumulate @3, %8, %1, %7
    emit %7, %1, %8, %7, %1
    return
}
clause "END" {
  record { clear @0 }
  record { trace int8s }
  b0:
    %0 : s64 = const 1
    emit 1, %0
    emit
    return
}
)";

TEST(IrText, APointIsItsShortTextOrItsFields) {
  const char kText[] =
      "program strsize=256\n"
      "clause \"syscall::read:entry\", \"12\", point(\"usdt\", \"a:b\", \"\", \"x\"), "
      "point(\"syscall\", \"\", \"read\", \"entry\") as \"syscall.read\" {\n"
      "  b0:\n"
      "    return\n"
      "}\n";
  const auto program = parse(kText);
  ASSERT_TRUE(program.ok()) << program.error().text;
  EXPECT_EQ(print(*program), kText);
  const std::vector<probe::Point>& points = program->clauses[0].points;
  ASSERT_EQ(points.size(), 4U);
  EXPECT_EQ(points[0].pattern.function, "read");
  EXPECT_EQ(points[1].id, ProbeId(12));
  EXPECT_EQ(points[2].pattern.module, "a:b");
  EXPECT_EQ(points[3].pattern.text, "syscall.read");
  EXPECT_EQ(points[3].pattern.name, "entry");
  EXPECT_EQ(parse("program\nclause point(\"a\", \"b\") {\n").error().text,
            "line 2: expected , before ')'");
}

TEST(IrText, WhatIsPrintedIsReadBack) {
  const auto program = parse(kEverything);
  ASSERT_TRUE(program.ok()) << program.error().text;
  EXPECT_EQ(print(*program), kEverything);
  const char kRegister[] =
      "program\nclause \"kinst::f:0\" {\n  b0:\n"
      "    %0 : u64 = builtin regs20\n    return\n}\n";
  const auto with_register = parse(kRegister);
  ASSERT_TRUE(with_register.ok()) << with_register.error().text;
  EXPECT_NE(print(*with_register).find("%0 : u64 = builtin regs20\n"), std::string::npos);
  EXPECT_EQ(print(*parse(print(*with_register))), print(*with_register));
  const auto without = parse("program\nclause \"x\" {\n  b0:\n    %0 : u64 = builtin regsX\n");
  ASSERT_FALSE(without.ok());
  EXPECT_NE(without.error().text.find("a register"), std::string::npos) << without.error().text;
  EXPECT_EQ(verify(*program), std::vector<std::string>{});
  EXPECT_EQ(program->aggregations[0].key_bytes, 120U);
  EXPECT_EQ(program->aggregations[1].value_words, 24U);
  EXPECT_EQ(program->strings[0], "quote \" backslash \\ newline \n byte \xff");
  EXPECT_EQ(program->clauses[0].layouts[0].fields[4].offset, 48U);
  EXPECT_TRUE(program->clauses[0].layouts[0].actions[3].has_trunc_count);
}

TEST(IrText, InstructionsCarryTheirPlaceAsAComment) {
  Sources sources;
  sources.add(Source("x.d", "BEGIN\n{ x = 1; }\n"));
  auto program = parse(
      "program\nvar @0 global \"x\" : s64\nclause \"BEGIN\" {\n b0:\n"
      " %0 : s64 = const 1\n store @0, %0\n return }");
  ASSERT_TRUE(program.ok()) << program.error().text;
  program->clauses[0].body.blocks[0].insts[1].span = {0, 8, 13};
  const std::string text = print(*program, &sources);
  EXPECT_NE(text.find("    store @0, %0                            ; 2:3\n"), std::string::npos)
      << text;
  const auto again = parse(text);
  ASSERT_TRUE(again.ok()) << again.error().text;
  EXPECT_EQ(print(*again), print(*program));
}

TEST(IrText, ErrorsNameTheirLine) {
  const struct {
    const char* text;
    const char* error;
  } cases[] = {
      {"", "line 1: expected program before 'end of text'"},
      {"program\nvar @1 global \"x\" : s64", "line 2: expected @0 to be next before 'global'"},
      {"program\nvar @0 global \"x\" : s63", "line 2: expected a type before 's63'"},
      {"program\nvar @0 global \"x : s64\n", "line 2: expected a string before '\"x : s64'"},
      {"program\nagg @0 \"a\" counts", "line 2: expected an aggregating function before 'counts'"},
      {"program\nclause \"a\" {\n b1:\n return\n}", "line 3: expected b0 to be next before ':'"},
      {"program\nclause \"a\" {\n b0:\n %0 : s64 = frob\n}",
       "line 4: expected an operation before 'frob'"},
      {"program\nclause \"a\" {\n b0:\n %99999999 : s64 = const 1\n}",
       "line 4: expected a number from 0 to 4194304 before '99999999'"},
      {"program\nclause \"a\" {\n b0:\n", "line 4: expected an operation before 'end of text'"},
      {"program\nclause \"a\" {\n b0:\n %0 : s64 = const 99999999999999999999\n",
       "line 4: expected a number from -9223372036854775808 to 9223372036854775807 before "
       "'99999999999999999999'"},
  };
  for (const auto& c : cases) {
    const auto program = parse(c.text);
    ASSERT_FALSE(program.ok()) << c.text;
    EXPECT_EQ(program.error().text, c.error);
  }
}

}  // namespace
}  // namespace dt::ir

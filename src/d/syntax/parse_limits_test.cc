// What no program needs must be refused in words, and soon.

#include <gtest/gtest.h>

#include "d/syntax/parse_test.h"

namespace dt::d {
namespace {

std::string repeat(std::string_view text, std::size_t n) {
  std::string out;
  out.reserve(text.size() * n);
  for (std::size_t i = 0; i < n; ++i) {
    out += text;
  }
  return out;
}

// The text of the only error.
std::string only_error(std::string text) {
  ParseRun run(std::move(text));
  run.tree();
  EXPECT_EQ(run.diagnostics.total(), 1U);
  return run.diagnostics.any() ? run.diagnostics.all()[0].text : "";
}

void expect_clauses(const std::string& text, std::size_t clauses) {
  ParseRun run(text);
  ParseContext context = run.context();
  const std::optional<Unit> unit = parse(run.source, front::Input::Spec::kProgram, context);
  EXPECT_TRUE(unit && unit->clauses.size() == clauses) << run.errors();
}

constexpr std::size_t kMany = 100000;

TEST(ParseLimits, DeepNestingIsAnErrorInEveryConstruct) {
  const std::string deep = "this is nested more than 500 levels deep";
  EXPECT_EQ(only_error("B { x = " + repeat("(", kMany) + "1" + repeat(")", kMany) + "; }"), deep);
  EXPECT_EQ(only_error("B { x = " + repeat("-", kMany) + "1; }"), deep);
  EXPECT_EQ(only_error("B { x = " + repeat("(int)", kMany) + "1; }"), deep);
  EXPECT_EQ(only_error("B { x = " + repeat("sizeof ", kMany) + "1; }"), deep);
  EXPECT_EQ(only_error("B { x = " + repeat("stringof ", kMany) + "1; }"), deep);
  EXPECT_EQ(only_error("B { x = " + repeat("f(", kMany) + "1; }"), deep);
  EXPECT_EQ(only_error("B { x = " + repeat("a ? b : ", kMany) + "1; }"), deep);
  EXPECT_EQ(only_error("B { " + repeat("x = ", kMany) + "1; }"), deep);
  EXPECT_EQ(only_error("B { " + repeat("if (x) {", kMany) + repeat("}", kMany) + " }"), deep);
  EXPECT_EQ(only_error("B { " + repeat("if (x) ", kMany) + "; }"), deep);
  EXPECT_EQ(only_error("int " + repeat("(", kMany) + "x" + repeat(")", kMany) + ";"), deep);
  EXPECT_EQ(only_error("int f" + repeat("(int ", kMany) + repeat(")", kMany) + ";"), deep);
  EXPECT_EQ(only_error(repeat("struct a { ", kMany) + repeat("};", kMany)), deep);
}

TEST(ParseLimits, ATreeIsNotTallerThanItsReadersCanRecurse) {
  const std::string tall = "this expression is more than 2000 levels deep";
  EXPECT_EQ(only_error("B { x = " + repeat("1 + ", kMany) + "1; }"), tall);
  EXPECT_EQ(only_error("B { x" + repeat("[1]", kMany) + "; }"), tall);
  EXPECT_EQ(only_error("B { x" + repeat("->y", kMany) + "; }"), tall);
  EXPECT_EQ(only_error("B { x" + repeat("++", kMany) + "; }"), tall);
  EXPECT_EQ(only_error("int " + repeat("*", kMany) + "x;"),
            "this declaration has more than 64 *, [] and ()");
  EXPECT_EQ(only_error("int x" + repeat("[1]", kMany) + ";"),
            "this declaration has more than 64 *, [] and ()");
}

TEST(ParseLimits, WithinTheLimitEverythingIsRead) {
  expect_clauses("B { x = " + repeat("(", 490) + "1" + repeat(")", 490) + "; }", 1);
  expect_clauses("B { x = " + repeat("1 + ", 1990) + "1; }", 1);
  expect_clauses("B { trace(" + repeat("a,", kMany) + "a); }", 1);
}

TEST(ParseLimits, ErrorsAreNotCountedForEver) {
  ParseRun run(repeat("B { x = ; }\n", kMany));
  run.tree();
  EXPECT_EQ(run.diagnostics.all().size(), Diagnostics::kMaxErrors);
}

// Anything quadratic would not end.
TEST(ParseLimits, ReadsTenMegabytes) {
  const std::string clause =
      "syscall::read:entry, syscall::write:return\n/pid == 12 && execname != \"bash\"/\n"
      "{\n\tself->ts = timestamp;\n\t@a[execname, 1] = quantize(arg0 * 2 + (uint64_t)arg1);\n"
      "\tprintf(\"%d %s\\n\", pid, copyinstr(arg0));\n}\n";
  expect_clauses(repeat(clause, 10000), 10000);
  const std::size_t clauses = (std::size_t{10} << 20) / clause.size();
  expect_clauses(repeat(clause, clauses), clauses);
  expect_clauses("B { x = " + repeat("/* */", 1000000) + "1; }", 1);
  expect_clauses("B { x = \"" + repeat("a", 10000000) + "\"; }", 1);
}

TEST(ParseLimits, WhatIsNoTextIsOneError) {
  EXPECT_EQ(only_error(std::string("B { \0 }", 7)),
            "this is not the text of a D program: it contains the control character 0x00");
  EXPECT_EQ(only_error("B { \x1b[31m }"),
            "this is not the text of a D program: it contains the control character 0x1b");
  EXPECT_EQ(only_error("B { x = \"a\"; \x07 }"),
            "this is not the text of a D program: it contains the control character 0x07");
  // In strings and comments they may stand.
  expect_clauses("B { x = \"\x1b[31m \\\" \x07\"; /* \x01 */ y = '\x02'; } // \x03", 1);
  EXPECT_EQ(only_error(std::string("\x7f"
                                   "ELF\2\1\1\0\0\0",
                                   10)),
            "this is an ELF file, not the text of a D program");
  std::string random;
  for (std::size_t i = 0; i < 100000; ++i) {
    random += static_cast<char>(i * 7919 >> 3);
  }
  EXPECT_EQ(only_error(random),
            "this is not the text of a D program: it contains the control character 0x00");
  ParseRun wide(
      std::string("\xff\xfe"
                  "B\0E\0",
                  6));
  wide.tree();
  EXPECT_EQ(wide.diagnostics.all()[0].hint, "it seems to be UTF-16; save it as UTF-8");
}

TEST(ParseLimits, BytesAbove127MayStandInCommentsAndStrings) {
  expect_clauses("/* caf\xe9 */ B { printf(\"caf\xe9 \xc3\xa9\"); }", 1);
}

TEST(ParseLimits, AnEmptyProgramIsATreeWithoutItems) {
  for (const char* text : {"", "\n\n", "/* nothing */", "#pragma ident \"x\"\n"}) {
    ParseRun run(text);
    EXPECT_EQ(run.tree(), "");
    EXPECT_TRUE(run.unit && run.unit->items.empty());
  }
}

}  // namespace
}  // namespace dt::d

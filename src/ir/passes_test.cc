// What each pass makes of small functions.

#include "ir/passes.h"

#include <gtest/gtest.h>

#include "ir/parse.h"
#include "ir/print.h"
#include "ir/verify.h"

namespace dt::ir {
namespace {

// The blocks of a clause after `pass`.
template <typename Pass>
std::string after(Pass&& pass, const std::string& body) {
  const auto program = parse(
      "program var @0 global \"x\" : s64 var @1 global \"y\" : s32 var @2 global \"z\" : bytes8 "
      "agg @0 \"a\" sum\n"
      "clause \"BEGIN\" {\n" +
      body + "}");
  EXPECT_TRUE(program.ok()) << (program.ok() ? "" : program.error().text);
  if (!program.ok()) return "";
  Program changed = *program;
  EXPECT_EQ(verify(changed), std::vector<std::string>{});
  pass(changed.clauses[0].body);
  EXPECT_EQ(verify(changed), std::vector<std::string>{}) << print(changed);
  return print(changed.clauses[0].body);
}

// Of one expression over %0 (arg0), stored: what is stored after optimising.
std::string expression(const std::string& insts, const std::string& result) {
  const std::string body =
      "b0:\n %0 : s64 = builtin arg0\n" + insts + "\nstore @0, " + result + "\nreturn";
  return after(
      [](Function& fn) {
        fold(fn);
        dce(fn);
      },
      body);
}

std::string stored(const std::string& insts) {
  return "  b0:\n    %0 : s64 = builtin arg0\n" + insts + "    return\n";
}

TEST(Fold, ConstantsAreComputedAsTheInterpreterDoes) {
  const struct {
    const char* op;
    const char* want;
  } cases[] = {
      {"add %1, %2", "-9223372036854775808"},
      {"sub %2, %1", "-9223372036854775806"},
      {"lt_s %1, %2", "0"},
      {"lt_u %2, %1", "1"},
      {"shl %2, %1", "-9223372036854775808"},
      {"div_s %1, %2", "9223372036854775807"},
  };
  for (const auto& c : cases) {
    const std::string insts =
        " %1 : s64 = const 9223372036854775807\n %2 : s64 = const 1\n %3 : s64 = " +
        std::string(c.op);
    const std::string body = "b0:\n" + insts + "\nstore @0, %3\nreturn";
    EXPECT_EQ(
        after(
            [](Function& fn) {
              fold(fn);
              dce(fn);
            },
            body),
        "  b0:\n    %3 : s64 = const " + std::string(c.want) + "\n    store @0, %3\n    return\n")
        << c.op;
  }
}

TEST(Fold, StringsThatAreConstantAreCompared) {
  const struct {
    const char* insts;
    const char* want;
  } cases[] = {{"%1 : str8 = string $0\n %2 : str8 = string $1\n %3 : s32 = strcmp %1, %2", "-1"},
               {"%1 : str8 = string $1\n %2 : str8 = string $0\n %3 : s32 = strcmp %1, %2", "1"},
               {"%1 : str8 = string $0\n %2 : str8 = string $0\n %3 : s32 = strcmp %1, %2", "0"},
               {"%1 : str16 = builtin execname\n %3 : s32 = strcmp %1, %1", "0"}};
  for (const auto& c : cases) {
    Result<Program> program = parse(
        "program\nvar @0 global \"x\" : s64\nstring $0 \"a\"\nstring $1 \"\\xff\"\nclause "
        "\"BEGIN\" "
        "{\n b0:\n " +
        std::string(c.insts) + "\n store @0, %3\n return\n}\n");
    ASSERT_TRUE(program.ok()) << program.error().text;
    optimize(*program);
    EXPECT_NE(print(program->clauses[0].body).find("const " + std::string(c.want) + "\n"),
              std::string::npos)
        << print(program->clauses[0].body);
  }
}

TEST(Fold, IdentitiesVanish) {
  const char* same[] = {
      "%1 : s64 = const 0\n %2 : s64 = add %0, %1",
      "%1 : s64 = const 0\n %2 : s64 = sub %0, %1",
      "%1 : s64 = const 0\n %2 : s64 = or %1, %0",
      "%1 : s64 = const -1\n %2 : s64 = and %1, %0",
      "%1 : s64 = const 1\n %2 : s64 = mul %1, %0",
      "%1 : s64 = const 1\n %2 : s64 = div_s %0, %1",
      "%1 : s64 = const 64\n %2 : s64 = shl %0, %1",
      "%2 : s64 = and %0, %0",
      "%1 : s64 = neg %0\n %2 : s64 = neg %1",
      "%2 : u64 = extend %0",
      "%1 : s64 = const 3\n %4 : s64 = add %0, %1\n %2 : s64 = sub %4, %1",
  };
  for (const char* insts : same) {
    EXPECT_EQ(expression(insts, "%2"), stored("    store @0, %0\n")) << insts;
  }
}

TEST(Fold, CostlyOperationsBecomeCheapOnes) {
  EXPECT_EQ(expression("%1 : s64 = const 1024\n %2 : s64 = div_u %0, %1", "%2"),
            stored("    %3 : s64 = const 10\n    %2 : s64 = shr_u %0, %3\n    store @0, %2\n"));
  EXPECT_EQ(expression("%1 : s64 = const 1024\n %2 : s64 = rem_u %0, %1", "%2"),
            stored("    %3 : s64 = const 1023\n    %2 : s64 = and %0, %3\n    store @0, %2\n"));
  EXPECT_EQ(expression("%1 : s64 = const -1\n %2 : s64 = div_s %0, %1", "%2"),
            stored("    %2 : s64 = neg %0\n    store @0, %2\n"));
}

TEST(Fold, ADivisionByZeroStays) {
  EXPECT_EQ(expression("%1 : s64 = const 0\n %2 : s64 = div_s %0, %1", "%0"),
            stored("    %1 : s64 = const 0\n    %2 : s64 = div_s %0, %1\n    store @0, %0\n"));
}

TEST(Fold, ExtensionsOfWhatFitsVanishAndOthersStay) {
  EXPECT_EQ(expression("%1 : s32 = load @1\n %2 : s64 = extend %1\n %3 : s32 = extend %2", "%3"),
            "  b0:\n    %1 : s32 = load @1\n    store @0, %1\n    return\n");
  // What arithmetic says of its type is not believed.
  EXPECT_EQ(expression("%1 : s32 = add %0, %0\n %2 : s32 = extend %1", "%2"),
            stored("    %1 : s32 = add %0, %0\n    %2 : s32 = extend %1\n    store @0, %2\n"));
  EXPECT_EQ(expression("%1 : s32 = extend %0\n %2 : u8 = extend %1", "%2"),
            stored("    %2 : u8 = extend %0\n    store @0, %2\n"));
  EXPECT_EQ(expression("%1 : s8 = extend %0\n %2 : u32 = extend %1", "%2"),
            stored("    %1 : s8 = extend %0\n    %2 : u32 = extend %1\n    store @0, %2\n"));
}

TEST(Fold, NegatedComparisonsTurnAround) {
  EXPECT_EQ(expression("%1 : s64 = const 5\n %2 : s32 = lt_s %0, %1\n %3 : s64 = const 0\n"
                       " %4 : s32 = eq %2, %3",
                       "%4"),
            stored("    %1 : s64 = const 5\n    %4 : s32 = le_s %1, %0\n    store @0, %4\n"));
}

TEST(Cse, WhatDominatesIsNotComputedAgain) {
  EXPECT_EQ(after(cse,
                  "b0:\n %0 : s64 = builtin arg0\n %1 : s64 = neg %0\n branch %0, b1, b2\n"
                  "b1:\n %2 : s64 = neg %0\n store @0, %2\n jump b2\n"
                  "b2:\n %3 : s64 = builtin arg0\n %4 : s64 = neg %3\n store @0, %4\n return"),
            "  b0:\n    %0 : s64 = builtin arg0\n    %1 : s64 = neg %0\n    branch %0, b1, b2\n"
            "  b1:\n    store @0, %1\n    jump b2\n"
            "  b2:\n    store @0, %1\n    return\n");
}

TEST(Cse, SiblingsAreLeftAlone) {
  const char body[] =
      "  b0:\n    %0 : s64 = builtin arg0\n    branch %0, b1, b2\n"
      "  b1:\n    %2 : s64 = neg %0\n    store @0, %2\n    jump b3\n"
      "  b2:\n    %3 : s64 = neg %0\n    store @0, %3\n    jump b3\n"
      "  b3:\n    %4 : s64 = neg %0\n    store @0, %4\n    return\n";
  EXPECT_EQ(after(cse, body), body);
}

TEST(Cse, VariablesAreLoadedOnceBetweenStores) {
  EXPECT_EQ(after(cse,
                  "b0:\n %0 : s64 = load @0\n branch %0, b1, b2\n"
                  "b1:\n %1 : s64 = load @0\n store @0, %1\n jump b2\n"
                  "b2:\n %2 : s64 = load @0\n aggregate @0, %2\n %3 : s64 = load @0\n"
                  " aggregate @0, %3\n return"),
            "  b0:\n    %0 : s64 = load @0\n    branch %0, b1, b2\n"
            "  b1:\n    store @0, %0\n    jump b2\n"
            "  b2:\n    %2 : s64 = load @0\n    aggregate @0, %2\n    aggregate @0, %2\n"
            "    return\n");
}

TEST(Cse, TheClockIsReadAgainBehindChill) {
  const char body[] =
      "  b0:\n    %0 : u64 = builtin timestamp\n    chill %0\n    %1 : u64 = builtin timestamp\n"
      "    aggregate @0, %0\n    aggregate @0, %1\n    return\n";
  EXPECT_EQ(after(cse, body), body);
}

TEST(Cse, WhatHasAnAddressIsLoadedAgainBehindWritesOfMemory) {
  const char body[] =
      "  b0:\n    %0 : u64 = address_of @2, 0\n    %1 : s64 = load_kernel %0\n"
      "    store_part @2, 0, s64, %1\n    %2 : s64 = load_kernel %0\n"
      "    %3 : s64 = load_part @2, 0\n    store_scratch 8, %0, %2\n"
      "    %4 : s64 = load_part @2, 0\n    aggregate @0, %3\n    aggregate @0, %4\n    return\n";
  EXPECT_EQ(after(cse, body), body);
}

TEST(Cse, WhatHasAnAddressIsLoadedAgainBehindHiddenStores) {
  const char body[] =
      "  b0:\n    %0 : u64 = address_of @2, 0\n    %1 : s64 = load_kernel %0\n    branch %1, b1, "
      "b2\n"
      "  b1:\n    aggregate @0, %1\n    jump b2\n"
      "  b2:\n    %2 : s64 = load_kernel %0\n    aggregate @0, %2\n    return\n";
  const HiddenStores hidden = {{2}, {2}};
  EXPECT_EQ(after([&](Function& fn) { cse_with(fn, hidden); }, body), body);
}

TEST(Dce, KeepsWhatCanFaultAndDropsTheRest) {
  EXPECT_EQ(
      after(dce,
            "b0:\n %0 : s64 = builtin arg0\n %1 : s64 = neg %0\n %2 : s64 = load_kernel %0\n"
            " %3 : s64 = const 7\n %4 : s64 = div_s %0, %3\n %5 : s64 = div_s %0, %0\n return"),
      "  b0:\n    %0 : s64 = builtin arg0\n    %2 : s64 = load_kernel %0\n"
      "    %5 : s64 = div_s %0, %0\n    return\n");
}

TEST(Dce, UnusedParametersGo) {
  EXPECT_EQ(after(dce,
                  "b0:\n %0 : s64 = builtin arg0\n %1 : s64 = builtin arg1\n jump b1(%0, %1)\n"
                  "b1(%2 : s64, %3 : s64):\n store @0, %3\n return"),
            "  b0:\n    %1 : s64 = builtin arg1\n    jump b1(%1)\n"
            "  b1(%3 : s64):\n    store @0, %3\n    return\n");
}

TEST(SimplifyCfg, ConstantBranchesAreTakenAndBlocksMerged) {
  EXPECT_EQ(after(simplify_cfg,
                  "b0:\n %0 : s64 = const 1\n branch %0, b1, b2\nb1:\n store @0, %0\n jump b3\n"
                  "b2:\n jump b3\nb3:\n return"),
            "  b0:\n    %0 : s64 = const 1\n    store @0, %0\n    return\n");
}

// What /arg0 && arg1/ lowers to.
TEST(SimplifyCfg, TheJoinOfAnAndIsJumpedThrough) {
  EXPECT_EQ(after([](Function& fn) { optimize(fn); },
                  "b0:\n %0 : s64 = builtin arg0\n %1 : s64 = const 0\n branch %0, b1, b2(%1)\n"
                  "b1:\n %2 : s64 = builtin arg1\n %3 : s32 = ne %2, %1\n jump b2(%3)\n"
                  "b2(%4 : s64):\n branch %4, b3, b4\n"
                  "b3:\n aggregate @0, %0\n return\nb4:\n return"),
            "  b0:\n    %0 : s64 = builtin arg0\n    branch %0, b1, b3\n"
            "  b1:\n    %2 : s64 = builtin arg1\n    branch %2, b2, b3\n"
            "  b2:\n    aggregate @0, %0\n    return\n"
            "  b3:\n    return\n");
}

TEST(SimplifyCfg, AParameterThatIsUsedLaterKeepsItsJoin) {
  const char body[] =
      "  b0:\n    %0 : s64 = builtin arg0\n    %1 : s64 = const 0\n    branch %0, b1, b2(%1)\n"
      "  b1:\n    %2 : s64 = builtin arg1\n    jump b2(%2)\n"
      "  b2(%4 : s64):\n    branch %4, b3, b4\n"
      "  b3:\n    aggregate @0, %4\n    return\n"
      "  b4:\n    return\n";
  EXPECT_EQ(after(simplify_cfg, body), body);
}

TEST(Optimize, ArgumentsThatNobodyReadsAreNotKept) {
  const auto optimized = [](const char* condition) {
    auto program = parse(std::string("program arguments=0 var @0 global \"a\" [s64] : str256\n"
                                     "clause \"BEGIN\" {\n record { trace str256 }\n b0:\n"
                                     " %0 : u64 = builtin curthread\n %1 : s32 = ") +
                         condition +
                         "\n branch %1, b1, b2\n b1:\n %2 : s64 = const 5\n"
                         " %3 : str256 = load @0, %2\n emit %3\n return\n b2:\n return\n}");
    EXPECT_TRUE(program.ok()) << program.error().text;
    EXPECT_EQ(verify(*program), std::vector<std::string>());
    EXPECT_NE(print(*program).find("program strsize=256 arguments=0\n"), std::string::npos);
    optimize(*program);
    return program->arguments == kNone && program->variables.empty();
  };
  EXPECT_TRUE(optimized("ne %0, %0"));
  EXPECT_FALSE(optimized("builtin cpu"));
}

}  // namespace
}  // namespace dt::ir

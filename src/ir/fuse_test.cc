// Fused functions: guards, hoisted built-ins, promoted variables.

#include "ir/fuse.h"

#include <gtest/gtest.h>

#include "ir/parse.h"
#include "ir/passes.h"
#include "ir/print.h"
#include "ir/verify.h"

namespace dt::ir {
namespace {

struct Result {
  Fused fused;
  std::string text;
};

Result fused(const std::string& clauses, std::vector<bool> always,
             std::vector<std::uint32_t> on_fault = {}) {
  const auto program = parse(
      "program\nvar @0 clause \"t\" : s32\nvar @1 clause \"s\" : str16\n"
      "var @2 global \"g\" : s64\nagg @0 \"a\" sum\n" +
      clauses);
  EXPECT_TRUE(program.ok()) << (program.ok() ? "" : program.error().text);
  std::vector<FuseClause> list;
  for (std::uint32_t i = 0; i < always.size(); ++i) list.push_back({i, always[i]});
  Result result{fuse(*program, list, on_fault), ""};
  EXPECT_EQ(verify(*program, result.fused), std::vector<std::string>{});
  result.text = print(result.fused.fn);
  return result;
}

TEST(Fuse, NothingIsAnEntryAndAnExit) {
  const Result r = fused("", {});
  EXPECT_EQ(r.text, "  b0:\n    jump b1\n  b1:\n    return\n");
}

TEST(Fuse, AClauseThatNeedNotApplyIsGuarded) {
  const Result r = fused(
      "clause \"a\" {\n b0:\n %0 : s64 = builtin arg0\n aggregate @0, %0\n return\n}"
      "clause \"b\" {\n b0:\n %0 : s64 = builtin arg1\n aggregate @0, %0\n return\n}",
      {false, true});
  EXPECT_EQ(r.text,
            "  b0:\n    jump b1\n"
            "  b1:\n    branch guard, b2, b3\n"
            "  b2:\n    %0 : s64 = builtin arg0\n    aggregate @0, %0\n    jump b3\n"
            "  b3:\n    jump b4\n"
            "  b4:\n    %1 : s64 = builtin arg1\n    aggregate @0, %1\n    jump b5\n"
            "  b5:\n    return\n");
  ASSERT_EQ(r.fused.clauses.size(), 2U);
  EXPECT_EQ(r.fused.clauses[0].guard, 1U);
  EXPECT_EQ(r.fused.clauses[0].first, 2U);
  EXPECT_EQ(r.fused.clauses[0].next, 3U);
  EXPECT_EQ(r.fused.clauses[1].next, 5U);
  EXPECT_EQ(r.fused.block_clause, (std::vector<std::uint32_t>{kNone, 0, 0, 1, 1, kNone}));
}

TEST(Fuse, BuiltinsOfSeveralClausesAreReadOnce) {
  const std::string clause =
      "clause \"a\" {\n b0:\n %0 : s32 = builtin pid\n branch %0, b1, b2\n"
      " b1:\n %1 : s32 = builtin tid\n %2 : u64 = builtin timestamp\n aggregate @0, %1\n"
      " aggregate @0, %2\n return\n b2:\n return\n}";
  const Result r = fused(clause + clause, {true, true});
  // pid is read on every firing, the time must be one; tid only behind a predicate.
  EXPECT_EQ(
      r.text.find(
          "  b0:\n    %0 : s32 = builtin pid\n    %1 : u64 = builtin timestamp\n    jump b1\n"),
      0U)
      << r.text;
  EXPECT_EQ(r.text.find("builtin pid"), r.text.rfind("builtin pid"));
  EXPECT_NE(r.text.find("builtin tid"), r.text.rfind("builtin tid"));
}

TEST(Fuse, ClocksAreNotReadOnceWhereAClauseWaits) {
  const std::string read =
      "clause \"a\" {\n b0:\n %0 : u64 = builtin timestamp\n aggregate @0, %0\n return\n}";
  const std::string wait = "clause \"a\" {\n b0:\n %0 : u64 = const 5\n chill %0\n return\n}";
  const std::string with = fused(read + wait + read, {true, true, true}).text;
  EXPECT_NE(with.find("builtin timestamp"), with.rfind("builtin timestamp")) << with;
  const std::string without = fused(read + read, {true, true}).text;
  EXPECT_EQ(without.find("builtin timestamp"), without.rfind("builtin timestamp")) << without;
}

TEST(Fuse, TheEpidIsReadByEachClause) {
  const std::string clause =
      "clause \"a\" {\n b0:\n %0 : u32 = builtin epid\n aggregate @0, %0\n return\n}";
  const Result r = fused(clause + clause, {true, true});
  EXPECT_NE(r.text.find("builtin epid"), r.text.rfind("builtin epid")) << r.text;
}

TEST(Fuse, ClauseLocalIntegersBecomeValues) {
  const Result r = fused(
      "clause \"a\" {\n b0:\n %0 : s64 = builtin arg0\n store @0, %0\n return\n}"
      "clause \"b\" {\n b0:\n %0 : s32 = load @0\n aggregate @0, %0\n return\n}",
      {false, true});
  EXPECT_EQ(r.text,
            "  b0:\n    %2 : s64 = const 0\n    jump b1\n"
            "  b1:\n    branch guard, b2, b3(%2)\n"
            "  b2:\n    %0 : s64 = builtin arg0\n    %3 : s32 = extend %0\n    jump b3(%3)\n"
            "  b3(%4 : s32):\n    jump b4\n"
            "  b4:\n    aggregate @0, %4\n    jump b5\n"
            "  b5:\n    return\n");
  EXPECT_EQ(r.fused.in_memory, (std::vector<bool>{false, false, false}));
}

TEST(Fuse, AVariableThatOutlivesAFaultStaysInMemory) {
  const std::string store_and_fault =
      "clause \"a\" {\n b0:\n %0 : s64 = builtin arg0\n store @0, %0\n"
      " %1 : s64 = load_kernel %0\n store @0, %1\n aggregate @0, %1\n return\n}";
  const Result kept = fused(
      store_and_fault + "clause \"b\" {\n b0:\n %0 : s32 = load @0\n aggregate @0, %0\n return\n}",
      {true, true});
  EXPECT_TRUE(kept.fused.in_memory[0]);
  EXPECT_TRUE(kept.fused.clauses[0].may_fault);
  // When the next clause sets it first, nothing of the faulting one is wanted.
  const Result promoted =
      fused(store_and_fault +
                "clause \"b\" {\n b0:\n %0 : s64 = builtin arg1\n store @0, %0\n"
                " %1 : s32 = load @0\n aggregate @0, %1\n return\n}",
            {true, true});
  EXPECT_FALSE(promoted.fused.in_memory[0]);
}

TEST(Fuse, StringsStayInMemory) {
  const Result r = fused(
      "clause \"a\" {\n b0:\n %0 : str16 = builtin execname\n store @1, %0\n return\n}", {true});
  EXPECT_TRUE(r.fused.in_memory[1]);
}

TEST(Fuse, NothingOfAFaultingClauseIsSharedWithTheNext) {
  const std::string clause =
      "clause \"a\" {\n b0:\n %0 : s64 = builtin arg0\n %1 : s64 = load_kernel %0\n"
      " %2 : s64 = neg %1\n aggregate @0, %2\n return\n}";
  const Result r = fused(clause + clause, {true, true});
  EXPECT_NE(r.text.find("load_kernel"), r.text.rfind("load_kernel")) << r.text;
  EXPECT_EQ(r.text.find("guard"), std::string::npos);
}

TEST(Fuse, AVariableThatErrorMaySetIsLoadedAgainBehindAFault) {
  const std::string load =
      "clause \"a\" {\n b0:\n %0 : s64 = load @2\n aggregate @0, %0\n return\n}";
  const std::string clauses =
      load +
      "clause \"b\" {\n b0:\n %0 : s64 = builtin arg0\n %1 : s64 = load_kernel %0\n"
      " aggregate @0, %1\n return\n}" +
      load + "clause \"ERROR\" {\n b0:\n %0 : s64 = builtin arg5\n store @2, %0\n return\n}";
  const Result alone = fused(clauses, {true, true, true});
  EXPECT_EQ(alone.text.find("load @2"), alone.text.rfind("load @2")) << alone.text;
  const Result with_error = fused(clauses, {true, true, true}, {3});
  EXPECT_NE(with_error.text.find("load @2"), with_error.text.rfind("load @2")) << with_error.text;
}

}  // namespace
}  // namespace dt::ir

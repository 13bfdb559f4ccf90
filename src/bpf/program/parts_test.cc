// How clauses are divided into functions, and what one program cannot hold.

#include "bpf/program/parts.h"

#include <gtest/gtest.h>

#include "bpf/program/generate_test.h"

namespace dt::bpf {
namespace {

std::string clauses(int count, const std::string& body) {
  std::string text = "program\nagg @0 \"_\" count [str16]\n";
  for (int i = 0; i < count; ++i) {
    text += "clause \"a\" {\n  b0:\n" + body + "    return\n}\n";
  }
  return text;
}

constexpr const char* kCount = "    %0 : str16 = builtin execname\n    aggregate @0, %0\n";
constexpr const char* kStack = "    %1 : bytes80 = stack\n    %2 : s64 = builtin caller\n";

std::size_t globals(const Object& object) {
  std::size_t count = 0;
  for (const kernel::Function& function : object.functions) count += function.is_global ? 1 : 0;
  return count;
}

TEST(Parts, FewClausesAreOneFunction) {
  const Generated g = generate_from(clauses(20, kCount), Machine{});
  ASSERT_EQ(g.error, "");
  EXPECT_EQ(g.object.functions.size(), 0u) << "none is global, so none is listed";
}

TEST(Parts, ManyClausesAreSeveralGlobalFunctions) {
  const Generated g = generate_from(clauses(200, kCount), Machine{});
  ASSERT_EQ(g.error, "");
  EXPECT_GE(globals(g.object), 5u);
  EXPECT_EQ(g.object.functions.size(), globals(g.object) + 2) << "main and the drop function";
}

TEST(Parts, AnyNumberOfClausesFitsTheFunctionsThatAProgramMayHave) {
  const Generated g = generate_from(clauses(5000, kCount), Machine{}, {0}, kDivided);
  ASSERT_EQ(g.error, "");
  EXPECT_LE(g.object.functions.size(), 256u);
}

TEST(Parts, WhatNeedsTheContextIsStatic) {
  const std::string counted = clauses(2, kCount);
  const std::string looked = clauses(2, kStack);
  const Generated g =
      generate_from(counted + looked.substr(looked.find("clause")), Machine{}, {0}, kDivided);
  ASSERT_EQ(g.error, "");
  EXPECT_EQ(globals(g.object), 2u);
  EXPECT_EQ(g.object.functions.size(), 6u);
}

// Each has keys of a shape of its own, so that no two can share a map.
TEST(Parts, MoreMapsThanAProgramMayUseAreRefused) {
  std::string text = "program\n", body;
  for (int i = 0; i < 70; ++i) {
    const std::string number = std::to_string(i);
    text += "agg @" + number + " \"a" + number + "\" count [";
    for (int k = 0; k <= i; ++k) text += k == 0 ? "int8s" : ", int8s";
    text += "]\n";
    body += "    aggregate @" + number;
    for (int k = 0; k <= i; ++k) body += ", %0";
    body += "\n";
  }
  text += "clause \"a\" {\n  b0:\n    %0 : s32 = builtin pid\n" + body + "    return\n}\n";
  EXPECT_EQ(generate_from(text, Machine{}).error,
            "the clauses of one probe use 70 aggregations with keys and 0 associative arrays; with "
            "what else they need, the kernel lets them use 64 maps");
}

}  // namespace
}  // namespace dt::bpf

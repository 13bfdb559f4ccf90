// Ill-formed functions are refused, and well-formed ones are not.

#include "ir/verify.h"

#include <gtest/gtest.h>

#include "ir/parse.h"

namespace dt::ir {
namespace {

std::vector<std::string> verdict(const std::string& body, const std::string& record = "") {
  const auto program = parse(
      "program var @0 global \"x\" : s64 var @1 thread \"s\" [s32] : str16 "
      "var @2 global \"p\" [s32] : bytes8\n"
      "agg @0 \"c\" count [str16] agg @1 \"s\" sum\n string $0 \"a\"\n"
      "clause \"BEGIN\" {\n" +
      record + "\n" + body + "}");
  EXPECT_TRUE(program.ok()) << program.error().text;
  return program.ok() ? verify(*program) : std::vector<std::string>();
}

struct Case {
  const char* body;
  const char* message;
};

TEST(Verify, StructureIsForwardAndReached) {
  const Case cases[] = {
      {"", "clause 0, b0: there is no block"},
      {"b0:\n jump b0", "clause 0, b0: a jump back to b0"},
      {"b0:\n jump b3", "clause 0, b0: a jump to b3, which does not exist"},
      {"b0:\n return\n b1:\n return", "clause 0, b1: nothing jumps here"},
      {"b0:\n branch guard, b1, b1\n b1:\n return", "clause 0, b0: a branch without a condition"},
      {"b0(%0 : s64):\n return", "clause 0, b0: the entry has parameters"},
  };
  for (const Case& c : cases) EXPECT_EQ(verdict(c.body), std::vector<std::string>{c.message});
}

TEST(Verify, UsesComeAfterDefinitionsOnEveryPath) {
  const Case cases[] = {
      {"b0:\n %0 : s64 = neg %1\n %1 : s64 = const 1\n return",
       "clause 0, b0: %1 is used where it may not be defined"},
      {"b0:\n %0 : s64 = neg %0\n return", "clause 0, b0: %0 is used where it may not be defined"},
      {"b0:\n %0 : s64 = neg %7\n return", "clause 0, b0: %7 is not defined"},
      {"b0:\n %0 : s64 = const 1\n %0 : s64 = const 1\n return",
       "clause 0, b0: %0 is defined twice"},
      {"b0:\n %0 : s64 = const 1\n branch %0, b1, b2\n b1:\n %1 : s64 = const 2\n jump b2\n"
       " b2:\n %2 : s64 = neg %1\n return",
       "clause 0, b2: %1 is used where it may not be defined"},
      {"b0:\n %0 : s64 = const 1\n jump b1\n b1(%1 : s64):\n return",
       "clause 0, b0: b1 takes 1 arguments, 0 given"},
      {"b0:\n %0 : str16 = string $0\n jump b1(%0)\n b1(%1 : s64):\n return",
       "clause 0, b0: %0 : str16 is passed for %1 : s64"},
  };
  for (const Case& c : cases) EXPECT_EQ(verdict(c.body), std::vector<std::string>{c.message});
  EXPECT_TRUE(verdict("b0:\n %0 : s64 = const 1\n branch %0, b1, b2\n b1:\n jump b2\n"
                      " b2:\n %1 : s64 = neg %0\n return")
                  .empty());
}

TEST(Verify, OperandsHaveTheTypesOfTheirOperation) {
  const Case cases[] = {
      {"b0:\n %0 : str16 = string $0\n %1 : s64 = neg %0\n return",
       "clause 0, b0: neg: %0 is not an integer"},
      {"b0:\n %0 : s64 = const 1\n %1 : s64 = add %0\n return", "clause 0, b0: add has 1 operands"},
      {"b0:\n %0 : str16 = string $9\n return", "clause 0, b0: string $9 does not exist"},
      {"b0:\n %0 : s32 = load @0\n return", "clause 0, b0: load of @0 : s64 gives s32"},
      {"b0:\n %0 : s64 = const 1\n store @1, %0, %0\n return",
       "clause 0, b0: store @1: %0 : s64 where str16 belongs"},
      {"b0:\n %0 : s64 = const 1\n store @1, %0\n return", "clause 0, b0: store has 1 operands"},
      {"b0:\n %0 : s64 = const 1\n aggregate @0, %0\n return",
       "clause 0, b0: aggregate: %0 : s64 where str16 belongs"},
      {"b0:\n aggregate @1\n return", "clause 0, b0: aggregate has 0 operands"},
      {"b0:\n emit\n return", "clause 0, b0: emit where there is no record"},
      {"b0:\n %0 : s64 = const 1\n %1 : bytes8 = user_addr %0\n return",
       "clause 0, b0: user_addr gives bytes8"},
      {"b0:\n %0 : s64 = const 1\n %1 : bytes8 = try_user 8, %0\n return",
       "clause 0, b0: try_user gives bytes8"},
      {"b0:\n %0 : s64 = const 1\n %1 : bytes16 = try_kernel 3, %0\n return",
       "clause 0, b0: try_kernel of 3 bytes"},
      {"b0:\n %0 : s64 = const 1\n %1 : str16 = to_string %0\n return",
       "clause 0, b0: to_string: %0 is an integer"},
      {"b0:\n %0 : s64 = builtin execname\n return", "clause 0, b0: builtin gives s64"},
      {"b0:\n %0 : s64 = const 1\n %1 : str16 = string $0\n %2 : s64 = strcmp %1, %0\n return",
       "clause 0, b0: strcmp: %0 is not a string"},
      {"b0:\n %0 : s64 = const 1\n %1 : s64 = exit %0\n return", "clause 0, b0: exit gives s64"},
      {"b0:\n %0 : s64 = const 1\n store_part @2, 4, u16, %0\n return",
       "clause 0, b0: store_part has 1 operands"},
      {"b0:\n %0 : s64 = const 1\n store_part @2, 7, u16, %0, %0\n return",
       "clause 0, b0: store_part of u16 at 7 in bytes8"},
      {"b0:\n %0 : u64 = address_of @0, 0\n return", "clause 0, b0: address_of @0 : s64"},
      {"b0:\n %0 : s64 = const 1\n %1 : u64 = address_of @2, 8, %0\n return",
       "clause 0, b0: address_of at 8"},
      {"b0:\n %0 : s64 = const 1\n %1 : str16 = string $0\n store_part @2, 4, u16, %0, %1, %0\n"
       " return",
       "clause 0, b0: store_part: %1 is not an integer"},
  };
  for (const Case& c : cases) EXPECT_EQ(verdict(c.body), std::vector<std::string>{c.message});
}

TEST(Verify, ARecordHasItsFields) {
  EXPECT_EQ(verdict("b0:\n %0 : s64 = const 1\n emit %0\n return", "record { trace str16 }"),
            std::vector<std::string>{"clause 0, b0: emit: %0 : s64 where str16 belongs"});
  EXPECT_TRUE(
      verdict("b0:\n %0 : s64 = const 1\n emit %0\n return", "record { trace int4u }").empty());
}

TEST(Verify, MessagesAreBounded) {
  std::string body = "b0:\n";
  for (int i = 0; i < 100; ++i) body += "aggregate @1\n";
  EXPECT_EQ(verdict(body + "return").size(), kMaxMessages);
}

TEST(Verify, ArgumentsAreStringsByANumber) {
  const auto verdict_of = [](const std::string& words) {
    const auto program = parse("program arguments=" + words +
                               " var @0 global \"a\" [s64] : str256 var @1 global \"b\" : str16 "
                               "var @2 global \"c\" [s32] : "
                               "str16\nclause \"BEGIN\" {\n b0:\n return\n}");
    EXPECT_TRUE(program.ok()) << program.error().text;
    return program.ok() ? verify(*program) : std::vector<std::string>();
  };
  EXPECT_EQ(verdict_of("0"), std::vector<std::string>());
  for (const char* wrong : {"1", "2", "3"}) {
    EXPECT_EQ(verdict_of(wrong),
              std::vector<std::string>{"arguments: no variable of strings by a number"});
  }
}

}  // namespace
}  // namespace dt::ir

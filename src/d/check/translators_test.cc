// Inlines with parameters and translators: the texts of errors; and that arguments are computed
// once and passed by value.

#include <gtest/gtest.h>

#include "ir/print.h"
#include "testing/d/fake_world.h"

namespace dt::d {
namespace {

struct Case {
  const char* script;
  const char* headline;  // with the tag
  const char* marked;
};

constexpr const char* kTypes =
    "struct in { int a; char b[8]; struct in *next; }; "
    "struct out { int x; string s; int lost; }; "
    "translator struct out < struct in *I > { x = I->a; s = I->b; }; ";

void expect_all(std::span<const Case> cases) {
  for (const Case& one : cases) {
    FakeWorld world;
    const auto program = world.compile(std::string(kTypes) + one.script);
    EXPECT_FALSE(program.has_value()) << one.script;
    ASSERT_TRUE(world.diagnostics.any()) << one.script;
    const Diagnostic& first = world.diagnostics.all().front();
    EXPECT_EQ(support::headline(first, world.sources, true), one.headline) << one.script;
    EXPECT_EQ(world.sources.text(first.span), one.marked) << one.script;
  }
}

TEST(CheckXlate, UsesOfTranslatorsAreChecked) {
  const Case cases[] = {
      {"BEGIN { trace(xlate <struct out> (1).x); }",
       "[D_XLATE_NONE] line 1: no translator exists from \"int\" to \"struct out\"",
       "xlate <struct out> (1)"},
      {"BEGIN { trace(xlate <int> (1)); }",
       "[D_XLATE_NONE] line 1: no translator exists from \"int\" to \"int\"", "xlate <int> (1)"},
      {"BEGIN { trace(xlate <struct out> ((struct in *)arg0).lost); }",
       "[D_XLATE_NOCONV] line 1: translator does not define conversion for member: lost", "lost"},
      {"BEGIN { trace(xlate <struct out> ((struct in *)arg0).y); }",
       "[D_TYPE_MEMBER] line 1: y is not a member of struct out", "y"},
      {"BEGIN { trace(xlate <struct out> ((struct in *)arg0)); }",
       "[D_TRACE_DYN] line 1: trace( ) may not be applied to a dynamic expression",
       "xlate <struct out> ((struct in *)arg0)"},
      {"BEGIN { print(xlate <struct out *> ((struct in *)arg0)); }",
       "[D_PRINT_DYN] line 1: print( ) may not be applied to a dynamic expression",
       "xlate <struct out *> ((struct in *)arg0)"},
      {"BEGIN { xlate <struct out *> ((struct in *)arg0); }",
       "[D_CG_DYN] line 1: expression cannot evaluate to result of dynamic type",
       "xlate <struct out *> ((struct in *)arg0)"},
      {"BEGIN { self->p = xlate <struct out *> ((struct in *)arg0); }",
       "[D_XLATE_NOCONV] line 1: a translated \"struct out *\" may not be used as a whole",
       "xlate <struct out *> ((struct in *)arg0)"},
      {"BEGIN /xlate <struct out *> ((struct in *)arg0) == 5/ { }",
       "[D_XLATE_NOCONV] line 1: a translated \"struct out *\" may not be used as a whole",
       "xlate <struct out *> ((struct in *)arg0)"},
      {"BEGIN { xlate <struct out *> ((struct in *)arg0)->x = 1; }",
       "[D_OP_LVAL] line 1: operator = requires modifiable lvalue as an operand",
       "xlate <struct out *> ((struct in *)arg0)->x"},
  };
  expect_all(cases);
}

TEST(CheckXlate, DefinitionsOfTranslatorsAreChecked) {
  const Case cases[] = {
      {"translator struct out < struct in *J > { x = 1; };",
       "[D_XLATE_REDECL] line 1: translator from \"struct in *\" to \"struct out\" has already "
       "been "
       "declared",
       "translator struct out < struct in *J > { x = 1; };"},
      {"translator struct out < int J > { y = 1; };",
       "[D_XLATE_MEMB] line 1: translator member y is not a member of struct out", "y"},
      {"translator struct out < int J > { x = \"a\"; };",
       "[D_XLATE_INCOMPAT] line 1: translator member x definition uses incompatible types: \"int\" "
       "= \"string\"",
       "\"a\""},
      {"translator struct out < int J > { s = J; };",
       "[D_XLATE_INCOMPAT] line 1: translator member s definition uses incompatible types: "
       "\"string\" = \"int\"",
       "J"},
      {"translator struct out < int J > { x = I; };",
       "[D_IDENT_UNDEF] line 1: failed to resolve I: Unknown variable name", "I"},
      {"translator int < int J > { };",
       "[D_XLATE_SOU] line 1: translator output type must be a struct or union, not \"int\"",
       "int"},
      {"translator struct out < stack J > { };",
       "[D_XLATE_SOU] line 1: translator input type may not be \"stack\"", "stack J"},
  };
  expect_all(cases);
}

TEST(CheckXlate, AWrongMemberIsReportedOnceHoweverOftenItIsUsed) {
  FakeWorld world;
  EXPECT_FALSE(world
                   .compile(std::string(kTypes) + "translator struct out < int J > { x = \"a\"; }; "
                                                  "BEGIN { trace(xlate <struct out> (1).x); "
                                                  "trace(xlate <struct out> (2).x + 1); }")
                   .has_value());
  EXPECT_EQ(world.diagnostics.total(), 1);
}

TEST(CheckXlate, InlinesWithParametersAreChecked) {
  const Case cases[] = {
      {"inline int f[int a] = a; BEGIN { trace(f); }",
       "[D_IDENT_BADREF] line 1: inline 'f' takes arguments: it may not be referenced as scalar",
       "f"},
      {"inline int f[int a] = a; BEGIN { trace(f[1, 2]); }",
       "[D_PROTO_LEN] line 1: f[ ] prototype mismatch: 2 keys passed, 1 expected", "f[1, 2]"},
      {"inline int f[int a] = a; BEGIN { trace(f[execname]); }",
       "[D_PROTO_ARG] line 1: f[ ] key #1 is incompatible with prototype:\n\tprototype: int\n"
       "\t     key: string",
       "execname"},
      {"inline string f[string a] = a; BEGIN { trace(f[pid]); }",
       "[D_PROTO_ARG] line 1: f[ ] key #1 is incompatible with prototype:\n\tprototype: string\n"
       "\t     key: pid_t",
       "pid"},
      {"inline int f[int a] = \"x\";",
       "[D_OP_INCOMPAT] line 1: inline f definition uses incompatible types: \"int\" = \"string\"",
       "\"x\""},
      {"inline int f[int a] = f[a - 1];",
       "[D_IDENT_UNDEF] line 1: failed to resolve f: Unknown variable name", "f"},
      {"inline int f[int a] = a; BEGIN { f[1] = 2; }",
       "[D_OP_LVAL] line 1: operator = requires modifiable lvalue as an operand", "f[1]"},
      {"inline int f[stack s] = 1;",
       "[D_DECL_PROTO_TYPE] line 1: associative array prototype may not use parameter of type "
       "stack: s, parameter #1",
       "stack s"},
  };
  expect_all(cases);
}

TEST(CheckXlate, InlinesThatGrowWithoutEndAreRefused) {
  std::string script = "inline int f0[int a] = a + a;\n";
  for (int i = 1; i < 40; ++i) {
    script += fmt::format("inline int f{}[int a] = f{}[a] + f{}[a];\n", i, i - 1, i - 1);
  }
  FakeWorld world;
  EXPECT_FALSE(world.compile(script + "BEGIN { trace(f39[1]); }").has_value());
  EXPECT_NE(world.errors().find("inlines and translators expand to more than 250000 operations"),
            std::string::npos)
      << world.errors();
}

TEST(CheckXlate, InlinesThatNestTooDeeplyAreRefused) {
  std::string sum;
  for (int i = 0; i < 100; ++i) {
    sum += " + 1";
  }
  std::string script = "inline int f0[int a] = a;\n";
  for (int i = 1; i < 40; ++i) {
    script += fmt::format("inline int f{}[int a] = f{}[a]{};\n", i, i - 1, sum);
  }
  FakeWorld world;
  EXPECT_FALSE(world.compile(script).has_value());
  EXPECT_NE(world.errors().find("inlines and translators are nested too deeply here"),
            std::string::npos)
      << world.errors();
}

TEST(CheckXlate, OnlyTheMembersThatAreUsedAreCompiled) {
  FakeWorld world;
  const auto program = world.compile(
      std::string(kTypes) + "BEGIN { trace(xlate <struct out *> ((struct in *)arg0)->x); }");
  ASSERT_TRUE(program.has_value()) << world.errors();
  const std::string text = ir::print(*program);
  EXPECT_EQ(text.find("kernel_string"), std::string::npos) << text;
}

TEST(CheckXlate, ArgumentsOfInlinesAreComputedOnce) {
  FakeWorld world;
  const auto program =
      world.compile("inline int twice[int a] = a + a; BEGIN { trace(twice[arg0]); }");
  ASSERT_TRUE(program.has_value()) << world.errors();
  const std::string text = ir::print(*program);
  EXPECT_EQ(text.find("arg"), text.rfind("arg")) << text;
}

}  // namespace
}  // namespace dt::d

// Whole diagnostics, as a person reads them, and what has no tag of its own.

#include <gtest/gtest.h>

#include "testing/d/fake_world.h"

namespace dt::d {
namespace {

std::string errors(const std::string& script) {
  FakeWorld world;
  world.compile(script);
  return world.errors();
}

TEST(CheckText, ATypoIsShownWithWhatWasMeant) {
  EXPECT_EQ(errors("BEGIN\n{\n\ttrace(exename);\n}\n"),
            "[D_IDENT_UNDEF] line 3: failed to resolve exename: Unknown variable name\n"
            "x.d:3:8: error: failed to resolve exename: Unknown variable name [D_IDENT_UNDEF]\n"
            "\ttrace(exename);\n"
            "\t      ^~~~~~~\n"
            "hint: did you mean 'execname'?\n");
}

TEST(CheckText, ARedefinedAggregationShowsBothPlaces) {
  EXPECT_EQ(errors("BEGIN {\n\t@a = count();\n\t@a = sum(1);\n}\n"),
            "[D_AGG_REDEF] line 3: aggregation @a redefined\n"
            "x.d:3:2: error: aggregation @a redefined [D_AGG_REDEF]\n"
            "\t@a = sum(1);\n"
            "\t^~\n"
            "x.d:2:2: note: first defined here\n"
            "\t@a = count();\n"
            "\t^~~~~~~~~~~~\n");
}

TEST(CheckText, AWrongNumberOfArgumentsShowsThePrototype) {
  EXPECT_EQ(errors("BEGIN { exit(); }"),
            "[D_PROTO_LEN] line 1: exit( ) prototype mismatch: 0 args passed, 1 expected\n"
            "x.d:1:9: error: exit( ) prototype mismatch: 0 args passed, 1 expected [D_PROTO_LEN]\n"
            "BEGIN { exit(); }\n"
            "        ^~~~~~\n"
            "hint: exit is void(int)\n");
}

TEST(CheckText, AConversionAndItsArgumentAreNamed) {
  EXPECT_EQ(errors("BEGIN { printf(\"%d\", execname); }"),
            "[D_PRINTF_ARG_TYPE] line 1: printf( ) argument #2 is incompatible with conversion #1 "
            "prototype:\n\tconversion: %d\n\t prototype: char, short, int, long or long long\n"
            "\t  argument: string\n"
            "x.d:1:22: error: printf( ) argument #2 is incompatible with conversion #1 prototype:\n"
            "\tconversion: %d\n\t prototype: char, short, int, long or long long\n"
            "\t  argument: string [D_PRINTF_ARG_TYPE]\n"
            "BEGIN { printf(\"%d\", execname); }\n"
            "                     ^~~~~~~~\n");
}

TEST(CheckText, AnIndexOutOfRangeSaysWhatThereIs) {
  EXPECT_EQ(errors("int table[4];\nBEGIN { table[4] = 1; }"),
            "[D_ARR_BADREF] line 2: index 4 is out of range for table: it has 4 elements\n"
            "x.d:2:15: error: index 4 is out of range for table: it has 4 elements [D_ARR_BADREF]\n"
            "BEGIN { table[4] = 1; }\n"
            "              ^\n");
}

TEST(CheckText, AnArrayInAVariableIsTheAddressOfItsFirstElement) {
  for (const char* use : {"p = g.v", "p = &g.v[1]", "p = &g.a", "g.v + 1", "g.v == 0",
                          "p = (int *)g.v", "copyinstr(g.v)", "(1 ? g.v : (int *)0)"}) {
    EXPECT_EQ(errors(fmt::format(
                  "struct s {{ int a; int v[2]; }}; struct s g; int *p; BEGIN {{ {}; }}", use)),
              "")
        << use;
  }
  EXPECT_EQ(errors("int table[4]; int (*p)[4];\nBEGIN { p = &table; }"),
            "[D_ADDROF_VAR] line 2: cannot take address of a variable\n"
            "x.d:2:14: error: cannot take address of a variable [D_ADDROF_VAR]\n"
            "BEGIN { p = &table; }\n"
            "             ^~~~~\n");
}

TEST(CheckText, ACharacterOfAStringThatIsInNoVariableCannotBeChanged) {
  EXPECT_EQ(errors("BEGIN { s = \"abc\"; s[1] = s[0]; *s = 0; p = s + 1; p[0] = execname[2]; }"),
            "");
  EXPECT_EQ(
      errors("BEGIN { strjoin(\"a\", \"b\")[0] = 1; }"),
      "[D_OP_LVAL] line 1: operator = cannot write to a string that is in no variable\n"
      "x.d:1:9: error: operator = cannot write to a string that is in no variable [D_OP_LVAL]\n"
      "BEGIN { strjoin(\"a\", \"b\")[0] = 1; }\n"
      "        ^~~~~~~~~~~~~~~~~~~~\n"
      "hint: assign the string to a variable, and change that\n");
}

TEST(CheckText, ATypedefHidesATypeOfDAndIsDeclaredOnce) {
  EXPECT_EQ(errors("typedef unsigned long dev_t; typedef unsigned long dev_t;\n"
                   "dev_t x; BEGIN { trace(1 / (sizeof(dev_t) == 8)); }"),
            "");
  EXPECT_EQ(errors("typedef int mine; typedef string mine;"),
            "[D_DECL_TYPERED] line 1: failed to typedef mine: the name is taken by another type\n"
            "x.d:1:34: error: failed to typedef mine: the name is taken by another type "
            "[D_DECL_TYPERED]\n"
            "typedef int mine; typedef string mine;\n"
            "                                 ^~~~\n");
}

TEST(CheckText, FunctionsOfHeadersArePassedOver) {
  EXPECT_EQ(errors("static inline int f(int a) { if (a) { return a / 2; } return 'x'; }\n"
                   "extern inline void *g(void) { };\n"
                   "int h(const char *, ...);\n"
                   "extern long double k(long double x);\n"
                   "BEGIN { trace(1); }\n"),
            "");
  EXPECT_EQ(errors("int f(int a) { return a; }\nBEGIN { trace(1); }").substr(0, 18),
            "[D_SYNTAX] line 1:");
}

TEST(CheckText, MoreVariablesThanDCanNumberAreReported) {
  std::string script;
  for (int i = 0; i <= 64255; ++i) {
    script += fmt::format("int v{};\n", i);
  }
  EXPECT_EQ(errors(script),
            "[D_ID_OFLOW] line 64256: cannot create v64255: limit on number of variables exceeded\n"
            "x.d:64256:5: error: cannot create v64255: limit on number of variables exceeded "
            "[D_ID_OFLOW]\n"
            "int v64255;\n"
            "    ^~~~~~\n"
            "hint: a program has 64255 at most\n");
}

TEST(CheckText, AMisspeltVariableIsReportedOnceWithTheScriptsOwnName) {
  EXPECT_EQ(errors("BEGIN /self->strat != 0 && self->strat < 5/ { x[1] = self->strat; }\n"
                   "END { self->start = 1; }"),
            "[D_VAR_UNDEF] line 1: self->strat has not yet been declared or assigned\n"
            "x.d:1:54: error: self->strat has not yet been declared or assigned [D_VAR_UNDEF]\n"
            "BEGIN /self->strat != 0 && self->strat < 5/ { x[1] = self->strat; }\n"
            "                                                     ^~~~~~~~~~~\n"
            "hint: did you mean 'self->start'?\n");
  const std::pair<const char*, const char*> cases[] = {
      {"BEGIN { trace(this->vlaue); } END { this->value = 1; }", "did you mean 'this->value'?"},
      {"BEGIN { trace(totl[1]); } END { total[1] = 2; }", "did you mean 'total'?"},
      {"BEGIN { prinf(\"a\"); }", "did you mean 'printf'?"},
      {"BEGIN { trace(seen[1]); } END { seen[1] = 2; }", "declare it before its first use\n"},
      {"BEGIN { trace(execname == 'cat'); }", "did you mean \"cat\"?"},
      {"BEGIN { x = \"dog\"; x = 'cat'; }", "did you mean \"cat\"?"},
      {"BEGIN { printf(\"%s\", 'cat'); }", "did you mean \"cat\"?"},
      {"double d; BEGIN { trace(d + 1); }", "there is no floating-point arithmetic in D"},
      {"double d; BEGIN { trace(d); }", "use printf() with %f, %e or %g"},
      {"double d; BEGIN { trace(d < d); }", "there is no floating-point arithmetic in D"},
  };
  for (const auto& [script, hint] : cases) {
    EXPECT_NE(errors(script).find(fmt::format("hint: {}", hint)), std::string::npos)
        << script << ": " << errors(script);
  }
}

TEST(CheckText, TheTypeToDeclareLosesNothing) {
  const std::pair<const char*, const char*> cases[] = {
      {"timestamp", "self uint64_t x;"},     {"execname", "self string x;"},
      {"copyinstr(arg0)", "self string x;"}, {"5", "self int x;"},
      {"5000000000", "self int64_t x;"},     {"arg0 + 1", "self int64_t x;"}};
  for (const auto& [value, declaration] : cases) {
    const std::string text =
        errors(fmt::format("BEGIN {{ trace(self->x); }}\nEND {{ self->x = {}; }}\n", value));
    EXPECT_NE(text.find(fmt::format("hint: declare it before its first use: {}\n", declaration)),
              std::string::npos)
        << value << ": " << text;
  }
}

TEST(CheckText, AVariableUsedBeforeItsAssignmentIsExplained) {
  EXPECT_EQ(errors("BEGIN { trace(done); }\nEND { done = 1; }\n"),
            "[D_IDENT_UNDEF] line 1: failed to resolve done: Unknown variable name\n"
            "x.d:1:15: error: failed to resolve done: Unknown variable name [D_IDENT_UNDEF]\n"
            "BEGIN { trace(done); }\n"
            "              ^~~~\n"
            "x.d:2:7: note: it is first assigned here, after this use\n"
            "END { done = 1; }\n"
            "      ^~~~\n"
            "hint: declare it before its first use: int done;\n");
}

TEST(CheckText, AnOptionThatCannotBeSetSaysWhy) {
  FakeWorld world;
  world.compile("#pragma D option wombats=many\nBEGIN { }");
  ASSERT_EQ(world.diagnostics.total(), 1u);
  EXPECT_EQ(support::headline(world.diagnostics.all()[0], world.sources, false),
            "line 1: failed to set option 'wombats' to 'many': Invalid option name");
}

TEST(CheckText, OptionsAreGivenToTheWorld) {
  FakeWorld world;
  ASSERT_TRUE(world.compile("#pragma D option quiet\n#pragma D option bufsize=16k\nBEGIN { }"));
  EXPECT_EQ(world.options["quiet"], "");
  EXPECT_EQ(world.options["bufsize"], "16k");
}

TEST(CheckText, ArgumentsThatNothingUsesAreReported) {
  FakeWorld world;
  world.world.macro_args = {"x.d", "1", "me"};
  EXPECT_FALSE(world.compile("BEGIN { trace($1); }"));
  ASSERT_EQ(world.diagnostics.total(), 1u);
  EXPECT_EQ(world.diagnostics.all()[0].tag, "D_MACRO_UNUSED");
  EXPECT_EQ(world.diagnostics.all()[0].text, "extraneous argument 'me' ($2 is not referenced)");
  EXPECT_EQ(world.diagnostics.all()[0].hint, "");
}

TEST(CheckText, AddressesOfTheKernelAndOfProgramsInOneKeyHaveAHint) {
  FakeWorld world;
  EXPECT_FALSE(world.compile("BEGIN { @[sym(1)] = count(); @[umod(1)] = count(); }"));
  ASSERT_EQ(world.diagnostics.total(), 1u);
  EXPECT_EQ(world.diagnostics.all()[0].tag, "D_PROTO_ARG");
  EXPECT_NE(world.diagnostics.all()[0].hint.find("another name"), std::string::npos);
}

TEST(CheckText, NamesOfDifferentNumbersInOneKeyHaveAHint) {
  for (const char* const body :
       {"@[sym(1)] = count(); @[errname(1)] = count();", "a[errname(1)] = 1; a[signame(1)] = 1;",
        "@[errname(1)] = count(); @[username(1)] = count();"}) {
    FakeWorld world;
    EXPECT_FALSE(world.compile(std::string("BEGIN { ") + body + " }")) << body;
    ASSERT_EQ(world.diagnostics.total(), 1u) << body;
    EXPECT_EQ(world.diagnostics.all()[0].tag, "D_PROTO_ARG") << body;
    EXPECT_NE(world.diagnostics.all()[0].hint.find("another name"), std::string::npos) << body;
  }
}

TEST(CheckText, ActionsApartFromTheirProbeHaveAHint) {
  for (const char* argument : {"{trace(1)}", "/pid == 1/ {trace(1)}"}) {
    FakeWorld world;
    world.world.macro_args = {"dtrace", argument};
    EXPECT_FALSE(world.compile("BEGIN { }"));
    ASSERT_EQ(world.diagnostics.total(), 1u);
    EXPECT_EQ(world.diagnostics.all()[0].tag, "D_MACRO_UNUSED");
    EXPECT_NE(world.diagnostics.all()[0].hint.find("the argument of their probe"),
              std::string::npos);
  }
}

TEST(CheckText, UnusedArgumentsAreAllowedWithDefaultArgs) {
  FakeWorld world;
  world.world.macro_args = {"x.d", "1", "me"};
  EXPECT_TRUE(world.compile("#pragma D option defaultargs\nBEGIN { trace($1); }"));
}

TEST(CheckText, AProgramOfNothingIsAnErrorUnlessAllowed) {
  FakeWorld world;
  EXPECT_FALSE(world.compile("/* nothing */"));
  EXPECT_EQ(world.diagnostics.all()[0].text, "empty D program translation unit");
  FakeWorld lenient;
  lenient.world.allow_empty = true;
  const auto program = lenient.compile("/* nothing */");
  ASSERT_TRUE(program.has_value());
  EXPECT_TRUE(program->clauses.empty());
}

TEST(CheckText, AProbeMayBeGivenByItsNumber) {
  FakeWorld world;
  const auto program = world.compile("3", nullptr, front::Input::Spec::kId);
  ASSERT_TRUE(program.has_value()) << world.errors();
  EXPECT_EQ(program->clauses[0].points[0].pattern.text, "syscall:vmlinux:read:entry");
  FakeWorld other;
  EXPECT_FALSE(other.compile("99", nullptr, front::Input::Spec::kId));
  EXPECT_EQ(other.diagnostics.all()[0].text, "probe identifier 99 does not match any probes");
}

TEST(CheckText, ErrorsOfACommandLineProgramNameTheirRegion) {
  FakeWorld world;
  Source source("BEGIN", "BEGIN /foo/ { trace(bar); }");
  source.from_command_line = true;
  const front::Input input{world.sources.add(std::move(source)), front::Input::Spec::kName};
  EXPECT_FALSE(compile(world.sources, std::span<const front::Input>(&input, 1), world.world,
                       world.diagnostics));
  ASSERT_EQ(world.diagnostics.total(), 2u);
  EXPECT_EQ(support::headline(world.diagnostics.all()[0], world.sources, false),
            "in action list: failed to resolve bar: Unknown variable name");
  EXPECT_EQ(support::headline(world.diagnostics.all()[1], world.sources, false),
            "in predicate: failed to resolve foo: Unknown variable name");
}

// One message for one cause: what a wrong line would have defined counts as defined.
TEST(CheckText, WhatFollowsFromAnErrorIsNotReported) {
  const char* const scripts[] = {
      "BEGIN { x = nosuch; } END /x > 1/ { trace(x + 1); y = x; printf(\"%s\", y); }",
      "BEGIN { self->a[pid] = nosuch(1); trace(self->a[1]); } END { trace(nosuch(2)); }",
      "BEGIN { x = stack(); trace(x); }",
      "BEGIN { @a = nosuch(1); printa(@a); trunc(@a, 5); printa(\"%s %@d\", @a); }",
      "BEGIN { @a[nosuch] = count(); printa(\"%s %@d\", @a); normalize(@a, 2); clear(@a); }",
      "nosuch_t x; nosuch_t y; BEGIN { trace(x); y = (nosuch_t)1; }",
      "typedef nosuch_t mine; mine x; self mine y; BEGIN { trace(x); trace((mine)1 + self->y); }",
      "struct s { nosuch_t a; }; struct s v; struct s *p; BEGIN { trace(v.a); trace(p->a); }",
      "enum e { A = nosuch, B }; enum e v; BEGIN { trace(A + B); trace(v); }",
      "inline int X = nosuch; BEGIN { trace(X); trace(X + 1); }",
      ("struct o { int a; }; translator struct o <nosuch_t *p> { a = 1; }; "
       "BEGIN { trace(xlate <struct o> (pid).a); }"),
      "struct s { int a; }; struct s *p; BEGIN { trace(p->b); trace(p->b); } END { x = p->b; }",
      "BEGIN { trace(msgsize(NULL)); trace(msgsize(NULL)); }",
      "int x[nosuch]; BEGIN { x[1] = 1; trace(x[2]); }",
  };
  for (const char* const script : scripts) {
    FakeWorld world;
    EXPECT_FALSE(world.compile(script)) << script;
    EXPECT_EQ(world.diagnostics.total(), 1u) << script << "\n" << world.errors();
  }
}

// A constant condition excludes a branch, which may be for another system.
TEST(CheckText, WhatAConstantConditionExcludesMayBeWrong) {
  EXPECT_EQ(errors("BEGIN { x = 1 ? pid : nosuch->member; trace(x); }"), "");
  EXPECT_EQ(errors("inline int X = 0; BEGIN /X ? nosuch() : 1/ { }"), "");
  EXPECT_EQ(errors("BEGIN { trace(0 ? exit(nosuch) : 1); }"), "");
  FakeWorld world;
  EXPECT_FALSE(world.compile("BEGIN { x = 1 ? pid : nosuch; trace(nosuch); }"));
  EXPECT_EQ(world.diagnostics.total(), 1u) << world.errors();
  EXPECT_NE(errors("BEGIN { x = pid ? pid : nosuch; }"), "");
  EXPECT_NE(errors("BEGIN { x = 1 ? nosuch : pid; }"), "");
}

TEST(CheckText, NamesOfNamesMayBeMany) {
  std::string script = "typedef int t0;";
  for (int i = 0; i < 300; ++i) {
    script += fmt::format("typedef t{} t{};", i, i + 1);
  }
  EXPECT_EQ(errors(script + "t300 x; BEGIN { x = 3; trace(x); }"), "");
}

TEST(CheckText, APredicateIsCheckedWhereItsVariablesAreMade) {
  const char* const scripts[] = {
      // By its own clause, by a later one, and by itself.
      "BEGIN /n < 5/ { n++; }",
      "BEGIN /n > 5 && s == \"a\"/ { } END { n++; s = execname; }",
      "BEGIN /self->t != 0 && x[1] > 2/ { self->t = 0; } END { self->t = timestamp; x[1] = 3; }",
      "BEGIN /(y = pid) > 1/ { trace(y); }",
      "BEGIN /(y = z) > 1/ { z = pid; }",
  };
  for (const char* const script : scripts) {
    EXPECT_EQ(errors(script), "") << script;
  }
  // The clause gives a variable its type before the predicate of the same clause does.
  EXPECT_NE(errors("BEGIN /n++ < 5/ { n = execname; }").find("D_OP_SCALAR"), std::string::npos);
  EXPECT_NE(errors("BEGIN /n > 5/ { } END { n = execname; }").find("D_OP_INCOMPAT"),
            std::string::npos);
}

TEST(CheckText, NoMoreThanTwentyErrorsAreKept) {
  std::string script;
  for (int i = 0; i < 100; ++i) {
    script += fmt::format("BEGIN {{ trace(wombat{}); }}\n", i);
  }
  FakeWorld world;
  EXPECT_FALSE(world.compile(script));
  EXPECT_EQ(world.diagnostics.all().size(), Diagnostics::kMaxErrors);
  EXPECT_EQ(world.diagnostics.total(), 100u);
}

TEST(CheckText, OneMistakeIsOneMessage) {
  FakeWorld world;
  EXPECT_FALSE(world.compile("BEGIN { x = wombat + 1; @ = sum(wombat2 * 2); y[wombat3] = 1; }"));
  EXPECT_EQ(world.diagnostics.total(), 3u) << world.errors();
}

}  // namespace
}  // namespace dt::d

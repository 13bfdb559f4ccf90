// Provider blocks, translated args[], and the stability of clauses.

#include <gtest/gtest.h>

#include "ir/print.h"
#include "testing/d/fake_world.h"

namespace dt::d {
namespace {

constexpr const char* kTypes =
    "struct in { int a; struct in *next; }; struct out { int x; int y; }; "
    "translator struct out < struct in *I > { x = I->a; }; ";

struct Case {
  const char* script;
  const char* headline;
  const char* marked;
};

TEST(CheckProvider, BlocksAreChecked) {
  const Case cases[] = {
      {"provider p1 { probe a(int); };",
       "[D_PROV_BADNAME] line 1: provider name may not end with a digit: p1",
       "provider p1 { probe a(int); };"},
      {"provider p { probe a(int); probe a(int); };",
       "[D_PROV_PRDUP] line 1: probe a is declared twice in provider p", "a"},
      {"provider p { probe a(int); }; provider p { probe a(string); };",
       "[D_PROV_INCOMPAT] line 1: provider p probe a is declared with other arguments", "a"},
      {"provider p { probe a(int, int, int, int, int, int, int, int, int, int, int); };",
       "[D_PROV_PRARGLEN] line 1: probe a has more than 10 arguments", "a"},
      {"provider p { probe a(int) : (int, int); };",
       "[D_PROV_PRARGLEN] line 1: probe a passes 1 argument: there is none for argument #2", "int"},
      {"provider p { probe a(int *b) : (struct out *b); };",
       "[D_PROV_PRXLATOR] line 1: translator from \"int *\" to \"struct out *\" is not defined: "
       "argument #1 of probe a",
       "struct out *b"},
      {"tick-1s { trace(args[0]); } provider profile { probe tick__1s(int); };",
       "[D_ARGS_NONE] line 1: args[ ] may not be referenced: the types of the arguments of "
       "profile:::tick-1s are not known",
       "args[0]"},
      {"provider profile { probe tick__1s(int); }; tick-1s { trace(args[1]); }",
       "[D_ARGS_IDX] line 1: index 1 is out of range for tick-1s args[ ]", "1"},
      {"fake:::other { trace(args[0]->x); }",
       "[D_ARGS_XLATOR] line 1: translator for args[0] from \"long *\" to \"struct out *\" is not "
       "defined",
       "args[0]"},
      {"fake:::start { trace(args[0]->y); }",
       "[D_XLATE_NOCONV] line 1: translator does not define conversion for member: y", "y"},
  };
  for (const Case& one : cases) {
    FakeWorld world;
    EXPECT_FALSE(world.compile(std::string(kTypes) + one.script)) << one.script;
    ASSERT_TRUE(world.diagnostics.any()) << one.script;
    const Diagnostic& first = world.diagnostics.all().front();
    EXPECT_EQ(support::headline(first, world.sources, true), one.headline) << one.script;
    EXPECT_EQ(world.sources.text(first.span), one.marked) << one.script;
  }
}

std::string ir_of(const std::string& script) {
  FakeWorld world;
  const auto program = world.compile(std::string(kTypes) + script);
  return program ? ir::print(*program) : world.errors();
}

TEST(CheckProvider, ABlockGivesAProbeItsArguments) {
  const std::string text = ir_of(
      "provider profile { probe tick__1s(struct in *i, int n) : (int n, struct out *i); };"
      "tick-1s { trace(args[1]->x); trace(args[0]); }");
  // args[1] is what is passed first, args[0] what is passed second.
  EXPECT_NE(text.find("builtin arg0"), std::string::npos) << text;
  EXPECT_NE(text.find("builtin arg1"), std::string::npos) << text;
  EXPECT_NE(text.find("load_kernel"), std::string::npos) << text;
}

TEST(CheckProvider, AProviderPublishesTranslatedArguments) {
  const std::string text = ir_of("fake:::start { trace(args[0]->x); trace(args[1]); }");
  EXPECT_NE(text.find("builtin arg1"), std::string::npos) << text;
  EXPECT_NE(text.find("load_kernel"), std::string::npos) << text;
}

std::string stability_of(const std::string& script) {
  FakeWorld world;
  world.world.want_stability = true;
  front::Dump dump;
  if (!world.compile(script, &dump)) {
    return world.errors();
  }
  std::string out;
  for (const front::ClauseStability& one : dump.stability) {
    out += probe::to_string(one.probes) + " " + probe::to_string(one.statements) + "\n";
  }
  return out;
}

TEST(Stability, AClauseIsAsStableAsTheLeastOfWhatItNames) {
  constexpr const char* kTask = "struct task_struct { int tgid; };\n";
  const std::pair<const char*, const char*> cases[] = {
      {"BEGIN { trace(pid); }", "Stable/Stable/Common"},
      {"BEGIN { trace(curthread); }", "Stable/Private/Common"},
      {"BEGIN { x = curthread; }", "Stable/Private/Common"},
      {"BEGIN /curthread != NULL/ { trace(pid); }", "Stable/Private/Common"},
      {"inline int T = curthread->tgid; BEGIN { trace(T); }", "Stable/Private/Common"},
      {"inline int T = curthread->tgid;\n#pragma D attributes Stable/Stable/Common T\n"
       "BEGIN { trace(T); }",
       "Stable/Stable/Common"},
      {"int v;\n#pragma D attributes Unstable/Evolving/ISA v\nBEGIN { trace(v); }",
       "Unstable/Evolving/ISA"},
      {"struct o { int p; }; translator struct o < struct task_struct *T > { p = T->tgid; }; "
       "BEGIN { trace(xlate <struct o> (curthread).p); }",
       "Stable/Private/Common"},
      {"struct o { int p; }; translator struct o < struct task_struct *T > { p = T->tgid; }; "
       "inline struct o *cur = xlate <struct o *> (curthread);\n"
       "#pragma D attributes Stable/Stable/Common cur\nBEGIN { trace(cur->p); }",
       "Stable/Stable/Common"},
      {"syscall::read:entry { trace(args[0]); }", "Private/Private/Unknown"},
      {"#pragma D attributes Evolving/Evolving/Common provider syscall args\n"
       "syscall::read:entry { trace(args[0]); }",
       "Evolving/Evolving/Common"},
  };
  for (const auto& [script, wanted] : cases) {
    const bool has_provider = std::string_view(script).find("syscall::") != std::string_view::npos;
    EXPECT_EQ(stability_of(std::string(kTask) + script),
              std::string(has_provider ? "Private/Private/Unknown " : "Unstable/Unstable/Common ") +
                  wanted + "\n")
        << script;
  }
}

TEST(Stability, LessThanTheMinimumIsAnError) {
  FakeWorld world;
  world.world.minimum = probe::parse_attributes("Evolving/Evolving/Common");
  EXPECT_FALSE(
      world.compile("struct task_struct { int a; }; BEGIN { trace(pid); trace(curthread); }"));
  EXPECT_EQ(
      world.errors(),
      "[D_ATTR_MIN] line 1: attributes for curthread (Stable/Private/Common) are less than "
      "minimum (Evolving/Evolving/Common)\n"
      "x.d:1:58: error: attributes for curthread (Stable/Private/Common) are less than minimum "
      "(Evolving/Evolving/Common) [D_ATTR_MIN]\n"
      "struct task_struct { int a; }; BEGIN { trace(pid); trace(curthread); }\n"
      "                                                         ^~~~~~~~~\n");
}

}  // namespace
}  // namespace dt::d

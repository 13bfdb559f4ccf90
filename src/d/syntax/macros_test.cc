// Macro variables and the lines that begin with #.

#include <gtest/gtest.h>

#include "d/syntax/parse_test.h"

namespace dt::d {
namespace {

std::string tree(const std::string& body, std::vector<std::string> args) {
  ParseRun run("B{" + body + "}", front::Input::Spec::kProgram, std::move(args));
  const std::string all = run.tree();
  const std::string head = "  body\n    ";
  const std::size_t at = all.find(head);
  return at == std::string::npos ? all : all.substr(at + head.size());
}

TEST(Macros, ArgumentsAreNumbersOrNames) {
  EXPECT_EQ(tree("$1", {"t.d", "42"}), "int 1:3-1:5 42\n");
  EXPECT_EQ(tree("$1", {"t.d", "0x10"}), "int 1:3-1:5 16\n");
  EXPECT_EQ(tree("$1", {"t.d", "execname"}), "ident 1:3-1:5 execname\n");
  EXPECT_EQ(tree("1-$1", {"t.d", "-5"}),
            "binary 1:3-1:7 -\n"
            "      int 1:3-1:4 1\n"
            "      unary 1:5-1:7 -\n"
            "        int 1:5-1:7 5\n");
}

TEST(Macros, TwoDollarsMakeAString) {
  EXPECT_EQ(tree("$$1", {"t.d", "a \"b\" 1"}), "string 1:3-1:6 \"a \\\"b\\\" 1\"\n");
  EXPECT_EQ(tree("$$0", {"t.d"}), "string 1:3-1:6 \"t.d\"\n");
  EXPECT_EQ(tree("$$pid", {"t.d"}), "string 1:3-1:8 \"1234\"\n");
}

TEST(Macros, VariablesComeFromTheWorld) {
  EXPECT_EQ(tree("$target", {"t.d"}), "int 1:3-1:10 99\n");
}

TEST(Macros, AreReplacedWithinDescriptions) {
  ParseRun run("pid$target:$1:$$2*:entry,profile:::tick-$3 {}", front::Input::Spec::kProgram,
               {"t.d", "libc", "mall", "10ms"});
  EXPECT_EQ(run.tree(),
            "clause 1:1-1:46\n"
            "  probe 1:1-1:25 \"pid99:libc:mall*:entry\"\n"
            "  probe 1:26-1:43 \"profile:::tick-10ms\"\n"
            "  body\n");
}

TEST(Macros, RecordsWhichArgumentsWereReferenced) {
  ParseRun run("pid$1::: { trace($$3); }", front::Input::Spec::kProgram,
               {"t.d", "1", "2", "3", "4"});
  run.tree();
  EXPECT_EQ(run.references, (std::vector<bool>{false, true, false, true}));
}

TEST(Macros, UndefinedOnesAreErrorsWithAdvice) {
  EXPECT_EQ(tree("trace($2)", {"t.d", "1"}),
            "t.d:1:9: error: macro argument $2 is not defined [D_MACRO_UNDEF]\n"
            "B{trace($2)}\n"
            "        ^~\n"
            "hint: give it after the script's name, or allow it to be missing with "
            "-x defaultargs\n");
  EXPECT_EQ(tree("trace($targe)", {"t.d"}),
            "t.d:1:9: error: macro variable $targe is not defined [D_MACRO_UNDEF]\n"
            "B{trace($targe)}\n"
            "        ^~~~~~\n"
            "hint: did you mean \"$target\"?\n");
  ParseRun run("pid$target:::");
  run.world.macro = nullptr;
  EXPECT_EQ(run.tree(),
            "t.d:1:4: error: macro variable $target is not defined [D_MACRO_UNDEF]\n"
            "pid$target:::\n"
            "   ^~~~~~~\n"
            "hint: give a process to trace with -p PID or -c COMMAND\n");
}

TEST(Macros, AnOptionOfAScriptMayBeTheProcessOfTheCommand) {
  ParseRun run("#pragma D flag p process int=1 it\nB{$process}");
  run.world.named_args["process"] = "$target";
  run.world.macro = [](std::string_view name) {
    return name == "target" ? std::optional<std::int64_t>(4711) : std::nullopt;
  };
  EXPECT_NE(run.tree().find("4711"), std::string::npos) << run.tree();
  ParseRun alone("#pragma D flag p process int=1 it\nB{$process}");
  alone.world.named_args["process"] = "$target";
  alone.world.macro = nullptr;
  EXPECT_NE(alone.tree().find("$process is $target, and there is no process"), std::string::npos)
      << alone.tree();
}

TEST(Macros, WithoutAProcessTargetIsZeroInExpressions) {
  ParseRun run("B{trace($target); trace($$target)}");
  run.world.macro = nullptr;
  EXPECT_EQ(run.tree(),
            "clause 1:1-1:35\n"
            "  probe 1:1-1:2 \"B\"\n"
            "  body\n"
            "    call 1:3-1:17 trace\n"
            "      int 1:9-1:16 0\n"
            "    call 1:19-1:34 trace\n"
            "      string 1:25-1:33 \"0\"\n");
}

TEST(Macros, TextThatIsNeitherNumberNorNameIsAString) {
  EXPECT_EQ(tree("$1", {"t.d", "a b"}), "string 1:3-1:5 \"a b\"\n");
  EXPECT_EQ(tree("$1", {"t.d", "\"a b\""}), "string 1:3-1:5 \"a b\"\n");
  EXPECT_EQ(tree("$1", {"t.d", "/etc/passwd"}), "string 1:3-1:5 \"/etc/passwd\"\n");
  EXPECT_EQ(tree("$1", {"t.d", "\"pid\""}), "string 1:3-1:5 \"pid\"\n");
  EXPECT_EQ(tree("$1", {"t.d", "\""}), "string 1:3-1:5 \"\\\"\"\n");
}

TEST(Macros, ANumberBeyond64BitsIsAnError) {
  EXPECT_EQ(tree("trace($1)", {"t.d", "99999999999999999999"}),
            "t.d:1:9: error: the value of $1, 99999999999999999999, does not fit in 64 bits "
            "[D_MACRO_OFLOW]\n"
            "B{trace($1)}\n"
            "        ^~\n");
}

TEST(Macros, MissingArgumentsAreZeroOrEmptyWithDefaultargs) {
  ParseRun run("B{$1;$$2}");
  run.world.default_args = true;
  EXPECT_EQ(run.tree(),
            "clause 1:1-1:10\n"
            "  probe 1:1-1:2 \"B\"\n"
            "  body\n"
            "    int 1:3-1:5 0\n"
            "    string 1:6-1:9 \"\"\n");
}

TEST(Macros, TheDefaultargsPragmaCountsAtOnce) {
  ParseRun run("#pragma D option defaultargs\nB{$1}");
  EXPECT_NE(run.tree().find("int 2:3-2:5 0"), std::string::npos);
  EXPECT_TRUE(run.world.default_args);
}

// ---- Directives -----------------------------------------------------------------

TEST(Directives, PragmasAreItemsInOrderWithTheirBlanksSqueezed) {
  ParseRun run(
      "#pragma  D   option\tquiet  /* why */\n"
      "B{\n"
      "  #pragma D option nested\n"
      "}\n"
      "# pragma D binding \"1.5  x\" \\\n  foo // end\n"
      "#pragma ident \"@(#)x\"\n#pragma once\n#ident \"y\"\n#pragma pack(1)\n#\n");
  EXPECT_EQ(run.tree(),
            "pragma 1:1-1:37 \"option quiet\"\n"
            "pragma 3:3-3:26 \"option nested\"\n"
            "clause 2:1-4:2\n"
            "  probe 2:1-2:2 \"B\"\n"
            "  body\n"
            "pragma 5:1-6:13 \"binding \\\"1.5  x\\\" foo\"\n");
  EXPECT_FALSE(run.unit->pragmas[0].nested);
  EXPECT_TRUE(run.unit->pragmas[1].nested);
}

TEST(Directives, AnInterpreterLineIsSkipped) {
  ParseRun run("#!/usr/sbin/dtrace -qs\nB{}");
  EXPECT_EQ(run.tree(), "clause 2:1-2:4\n  probe 2:1-2:2 \"B\"\n  body\n");
}

TEST(Directives, LineMarkersMoveTheLinesOfMessages) {
  ParseRun run(
      "# 10 \"a\\\"b.d\" 1\n\nB { x = ; }\n#line 3\nB { x = ; }\n#line 5 \"c.d\"\nB { x = ; }\n");
  EXPECT_EQ(run.tree(),
            "a\"b.d:11:9: error: syntax error near \";\" [D_SYNTAX]\nB { x = ; }\n        ^\n"
            "a\"b.d:3:9: error: syntax error near \";\" [D_SYNTAX]\nB { x = ; }\n        ^\n"
            "c.d:5:9: error: syntax error near \";\" [D_SYNTAX]\nB { x = ; }\n        ^\n");
  EXPECT_EQ(support::headline(run.diagnostics.all()[0], run.sources, true),
            "[D_SYNTAX] \"a\"b.d\", line 11: syntax error near \";\"");
}

TEST(Directives, OthersAreErrors) {
  const std::pair<const char*, const char*> cases[] = {
      {"#include <x.h>\n",
       "t.d:1:1: error: invalid control directive: #include [D_PRAGCTL_INVAL]\n"
       "#include <x.h>\n^~~~~~~~\n"
       "hint: the option -C runs the C preprocessor over the program\n"},
      {"# 12 foo\n",
       "t.d:1:1: error: invalid line directive: it must be # LINE \"FILE\" [D_PRAGCTL_INVAL]\n"
       "# 12 foo\n^\n"},
      {"#error no  way\n",
       "t.d:1:1: error: #error: no way [D_PRAGERR]\n#error no  way\n^~~~~~~~~~~~~~\n"},
      {"#pragma d option quiet\n",
       "t.d:1:1: error: invalid pragma: d [D_PRAGMA_INVAL]\n"
       "#pragma d option quiet\n^~~~~~~~~~~~~~~~~~~~~~\n"
       "hint: did you mean \"#pragma D option quiet\"?\n"},
      {"#pragma\n",
       "t.d:1:1: error: #pragma without a name [D_PRAGMA_MALFORM]\n#pragma\n^~~~~~~\n"
       "hint: D's own begin with #pragma D\n"},
  };
  for (const auto& [text, expected] : cases) {
    ParseRun run(text);
    EXPECT_EQ(run.tree(), expected);
  }
}

TEST(Directives, PreprocessedTextNeedsNoAdviceToUseThePreprocessor) {
  ParseRun run("#nonsense\n");
  run.sources.at(run.source).is_preprocessed = true;
  EXPECT_EQ(run.tree(),
            "t.d:1:1: error: invalid control directive: #nonsense [D_PRAGCTL_INVAL]\n"
            "#nonsense\n^~~~~~~~~\n");
}

TEST(Directives, DumpingTokensHasNoEffects) {
  ParseRun run("# 10 \"a.d\"\n#pragma D option defaultargs\nB{ $1; $2; x = ; }",
               front::Input::Spec::kProgram, {"t.d", "1"});
  run.tokens();
  EXPECT_TRUE(run.references.empty());
  EXPECT_FALSE(run.world.default_args);
  EXPECT_FALSE(run.diagnostics.any());
  EXPECT_EQ(run.sources.locate(Span{0, 45, 46}).file, "t.d");
}

TEST(Macros, OneThatIsNotDefinedIsSaidOnce) {
  ParseRun run(
      "pid$nothing:::entry { trace($nothing); trace($other); } BEGIN { trace($nothing); }");
  run.tree();
  EXPECT_EQ(run.diagnostics.total(), 2U) << run.errors();
}

TEST(Macros, WhatIsGivenForOneInADescriptionMayHaveMacros) {
  ParseRun run("$1:::entry { }", front::Input::Spec::kProgram, {"t.d", "pid$target"});
  EXPECT_NE(run.tree().find("pid99:::entry"), std::string::npos) << run.errors();
  ParseRun again("$1:::entry { }", front::Input::Spec::kProgram, {"t.d", "p$1"});
  EXPECT_NE(again.tree().find("pp$1:::entry"), std::string::npos) << again.errors();
}

}  // namespace
}  // namespace dt::d

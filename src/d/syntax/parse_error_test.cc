// The whole text of every kind of syntax error, and what is read after it.

#include <gtest/gtest.h>

#include "d/syntax/parse_test.h"

namespace dt::d {
namespace {

struct Case {
  std::string text;
  std::string errors;
};

void expect_errors(const std::vector<Case>& cases) {
  for (const Case& c : cases) {
    ParseRun run(c.text);
    EXPECT_EQ(run.tree(), c.errors) << c.text;
  }
}

TEST(ParseError, HasTheClassicalFirstLine) {
  ParseRun run("BEGIN\n{\n\ttrace(1 }\n");
  run.tree();
  EXPECT_EQ(support::headline(run.diagnostics.all()[0], run.sources, false),
            "line 3: syntax error near \"}\"");
  EXPECT_EQ(run.errors(),
            "t.d:3:10: error: syntax error near \"}\" [D_SYNTAX]\n"
            "\ttrace(1 }\n"
            "\t        ^\n"
            "t.d:3:7: note: expected the \")\" for this\n"
            "\ttrace(1 }\n"
            "\t     ^\n");
}

TEST(ParseError, InStatements) {
  expect_errors({
      {"B { x = 1 y = 2; }",
       "t.d:1:11: error: syntax error near \"y\" [D_SYNTAX]\n"
       "B { x = 1 y = 2; }\n          ^\nhint: expected \";\" before it\n"},
      {"B { trace(1);\n\n",
       "t.d:1:14: error: syntax error near end of input [D_SYNTAX]\n"
       "B { trace(1);\n             ^\n"
       "t.d:1:3: note: expected the \"}\" for this\nB { trace(1);\n  ^\n"},
      {"B { trace(1)",
       "t.d:1:13: error: syntax error near end of input [D_SYNTAX]\n"
       "B { trace(1)\n            ^\n"
       "t.d:1:3: note: expected the \"}\" for this\nB { trace(1)\n  ^\n"},
      {"B { trace(1);\nsyscall::read:entry { trace(2); }",
       "t.d:2:8: error: syntax error near \":\" [D_SYNTAX]\n"
       "syscall::read:entry { trace(2); }\n       ^\n"
       "t.d:1:3: note: if this is the next clause, the \"}\" for this is missing\n"
       "B { trace(1);\n  ^\n"},
      {"B { int x; }",
       "t.d:1:5: error: syntax error near \"int\" [D_SYNTAX]\nB { int x; }\n    ^~~\n"
       "hint: variables are declared outside of clauses, or by their first assignment\n"},
      {"B { else x; }",
       "t.d:1:5: error: syntax error near \"else\" [D_SYNTAX]\nB { else x; }\n    ^~~~\n"
       "hint: there is no if before this else\n"},
      {"B { if x { } }",
       "t.d:1:8: error: syntax error near \"x\" [D_SYNTAX]\nB { if x { } }\n       ^\n"
       "hint: expected \"(\" before it\n"},
      {"B { iff (x) { y; } }",
       "t.d:1:13: error: syntax error near \"{\" [D_SYNTAX]\nB { iff (x) { y; } }\n            ^\n"
       "hint: did you mean \"if\" instead of \"iff\"?\n"},
      {"B { for (i = 0; i < 3; i++) { x; } y = 1; }",
       "t.d:1:5: error: syntax error near \"for\" [D_SYNTAX]\n"
       "B { for (i = 0; i < 3; i++) { x; } y = 1; }\n    ^~~\n"
       "hint: D has no loops: a probe must end soon\n"},
      {"B { unroll(3) { y; } }",
       "t.d:1:15: error: syntax error near \"{\" [D_SYNTAX]\nB { unroll(3) { y; } }\n              "
       "^\n"
       "hint: D has no loops: a probe must end soon\n"},
      {"B { switch (x) { case 1: y; } z = 1; }",
       "t.d:1:5: error: syntax error near \"switch\" [D_SYNTAX]\n"
       "B { switch (x) { case 1: y; } z = 1; }\n    ^~~~~~\n"
       "hint: D has no \"switch\"; use if and else\n"},
  });
}

TEST(ParseError, InExpressions) {
  expect_errors({
      {"B { x = ; }",
       "t.d:1:9: error: syntax error near \";\" [D_SYNTAX]\nB { x = ; }\n        ^\n"},
      {"B { a + b = 3; }",
       "t.d:1:11: error: syntax error near \"=\" [D_SYNTAX]\nB { a + b = 3; }\n          ^\n"
       "hint: what stands before it cannot be assigned to\n"},
      {"B { @a[] = count(); }",
       "t.d:1:8: error: syntax error near \"]\" [D_SYNTAX]\nB { @a[] = count(); }\n       ^\n"},
      {"B { a ? b; }",
       "t.d:1:10: error: syntax error near \";\" [D_SYNTAX]\nB { a ? b; }\n         ^\n"
       "t.d:1:7: note: expected the \":\" for this\nB { a ? b; }\n      ^\n"},
      {"B { self.x; }",
       "t.d:1:9: error: syntax error near \".\" [D_SYNTAX]\nB { self.x; }\n        ^\n"
       "hint: expected \"->\" after \"self\"\n"},
      {"B { p->1; }",
       "t.d:1:8: error: syntax error near \"1\" [D_SYNTAX]\nB { p->1; }\n       ^\n"
       "hint: expected a name\n"},
      {"B { x = while; }",
       "t.d:1:9: error: syntax error near \"while\" [D_SYNTAX]\nB { x = while; }\n        ^~~~~\n"
       "hint: \"while\" is a reserved word\n"},
      {"B { (f)(3); }",
       "t.d:1:5: error: only a function can be called, by its name [D_FUNC_IDENT]\n"
       "B { (f)(3); }\n    ^~~\n"},
      {"B { x # 3; }",
       "t.d:1:7: error: syntax error near \"#\" [D_SYNTAX]\nB { x # 3; }\n      ^\n"
       "hint: expected \";\" before it\n"},
      {"B { trace(sizeof(int x)); }",
       "t.d:1:22: error: syntax error near \"x\" [D_SYNTAX]\n"
       "B { trace(sizeof(int x)); }\n                     ^\n"
       "hint: a type without a name is expected here\n"},
      {"B { xlate foo_t (x); }",
       "t.d:1:11: error: syntax error near \"foo_t\" [D_SYNTAX]\n"
       "B { xlate foo_t (x); }\n          ^~~~~\nhint: expected \"<\" before it\n"},
  });
}

TEST(ParseError, InClauseHeads) {
  const std::string follow =
      "hint: a probe description is followed by { actions } or by a /predicate/ and { actions }\n";
  expect_errors({
      {"BEGIN",
       "t.d:1:6: error: syntax error near end of input [D_SYNTAX]\nBEGIN\n     ^\n" + follow},
      {"BEGIN END { }",
       "t.d:1:7: error: syntax error near \"END\" [D_SYNTAX]\nBEGIN END { }\n      ^~~\n" + follow},
      {"BEGIN /1/\nEND { }",
       "t.d:2:1: error: syntax error near \"END\" [D_SYNTAX]\nEND { }\n^~~\n"
       "hint: a predicate is followed by { actions }\n"},
      {"BEGIN, { }",
       "t.d:1:8: error: syntax error near \"{\" [D_SYNTAX]\nBEGIN, { }\n       ^\n"
       "hint: a probe description must follow the comma\n"},
      {"B /x == 1 { }",
       "t.d:1:11: error: syntax error near \"{\" [D_SYNTAX]\nB /x == 1 { }\n          ^\n"
       "t.d:1:3: note: expected the \"/\" for this\nB /x == 1 { }\n  ^\n"},
      {"B / / { }", "t.d:1:5: error: syntax error near \"/\" [D_SYNTAX]\nB / / { }\n    ^\n"},
      {"B /(x/ { }",
       "t.d:1:6: error: syntax error near \"/\" [D_SYNTAX]\nB /(x/ { }\n     ^\n"
       "t.d:1:4: note: expected the \")\" for this\nB /(x/ { }\n   ^\n"},
      {"{ trace(1); }",
       "t.d:1:1: error: syntax error near \"{\" [D_SYNTAX]\n{ trace(1); }\n^\n"
       "hint: a probe description must come first, such as syscall:::entry\n"},
      {"x = 1;",
       "t.d:1:3: error: syntax error near \"=\" [D_SYNTAX]\nx = 1;\n  ^\n"
       "hint: statements stand in a clause: probe { ... }\n"},
      {"self->x = 1;",
       "t.d:1:5: error: syntax error near \"->\" [D_SYNTAX]\nself->x = 1;\n    ^~\n"
       "hint: statements stand in a clause: probe { ... }\n"},
      {"@a = count();",
       "t.d:1:1: error: syntax error near \"@a\" [D_SYNTAX]\n@a = count();\n^~\n"
       "hint: statements stand in a clause: probe { ... }\n"},
      {"B { };",
       "t.d:1:6: error: syntax error near \";\" [D_SYNTAX]\nB { };\n     ^\n"
       "hint: no \";\" stands after a clause\n"},
      {"B { } }",
       "t.d:1:7: error: syntax error near \"}\" [D_SYNTAX]\nB { } }\n      ^\n"
       "hint: there is no \"{\" for this\n"},
  });
}

TEST(ParseError, InDeclarations) {
  expect_errors({
      {"int x = 3;",
       "t.d:1:7: error: syntax error near \"=\" [D_SYNTAX]\nint x = 3;\n      ^\n"
       "hint: a variable gets its value in a clause, such as BEGIN { x = 1; }; a constant is "
       "declared with \"inline\"\n"},
      {"int x\nB { }",
       "t.d:2:1: error: syntax error near \"B\" [D_SYNTAX]\nB { }\n^\n"
       "hint: expected \";\" before it\n"},
      {"inlin int x = 3;",
       "t.d:1:7: error: \"int\" cannot be combined with \"inlin\" [D_DECL_COMBO]\n"
       "inlin int x = 3;\n      ^~~\nhint: did you mean \"inline\" instead of \"inlin\"?\n"},
      {"typdef struct foo { int a; } foo_t;",
       "t.d:1:8: error: \"struct\" cannot be combined with \"typdef\" [D_DECL_COMBO]\n"
       "typdef struct foo { int a; } foo_t;\n       ^~~~~~\n"
       "hint: did you mean \"typedef\" instead of \"typdef\"?\n"},
      {"self this int x;",
       "t.d:1:6: error: a declaration has one storage class at most [D_DECL_CLASS]\n"
       "self this int x;\n     ^~~~\n"},
      {"struct foo { int x };",
       "t.d:1:20: error: syntax error near \"}\" [D_SYNTAX]\nstruct foo { int x };\n"
       "                   ^\nhint: expected \";\" before it\n"},
      {"int counter;",
       "t.d:1:5: error: syntax error near \"counter\" [D_SYNTAX]\nint counter;\n    ^~~~~~~\n"
       "hint: \"counter\" is a word of D, not a name\n"},
      {"inline f(int n) = n;",
       "t.d:1:17: error: syntax error near \"=\" [D_SYNTAX]\ninline f(int n) = n;\n"
       "                ^\nhint: an inline with parameters has them in brackets: "
       "inline int f[int n] = n;\n"},
      {"enum { };",
       "t.d:1:8: error: syntax error near \"}\" [D_SYNTAX]\nenum { };\n       ^\n"
       "hint: expected a name\n"},
      {"struct { int x; ",
       "t.d:1:16: error: syntax error near end of input [D_SYNTAX]\nstruct { int x; \n"
       "               ^\nt.d:1:8: note: expected the \"}\" for this\nstruct { int x; \n       "
       "^\n"},
      {"inline int x;",
       "t.d:1:13: error: syntax error near \";\" [D_SYNTAX]\ninline int x;\n            ^\n"
       "hint: expected \"=\" before it\n"},
      {"translater a < b *c > { };",
       "t.d:1:14: error: syntax error near \"<\" [D_SYNTAX]\ntranslater a < b *c > { };\n"
       "             ^\nhint: did you mean \"translator\" instead of \"translater\"?\n"},
      {"translator a < b *c > { x = 3 y = 4; };",
       "t.d:1:31: error: syntax error near \"y\" [D_SYNTAX]\n"
       "translator a < b *c > { x = 3 y = 4; };\n                              ^\n"
       "hint: expected \";\" before it\n"},
      {"provder foo { probe a(); };",
       "t.d:1:9: error: syntax error near \"foo\" [D_SYNTAX]\nprovder foo { probe a(); };\n"
       "        ^~~\nhint: did you mean \"provider\" instead of \"provder\"?\n"},
      {"provider p { prob a(int); };",
       "t.d:1:14: error: syntax error near \"prob\" [D_SYNTAX]\nprovider p { prob a(int); };\n"
       "             ^~~~\nhint: expected \"probe\" before it\n"},
      {"provider p { probe a(int, ...); };",
       "t.d:1:20: error: a probe has a fixed number of arguments: \"...\" cannot be one "
       "[D_DECL_PROTO_VARARGS]\nprovider p { probe a(int, ...); };\n                   ^\n"},
      {"provider p { probe a(int i, char *i); };",
       "t.d:1:29: error: parameter is declared more than once: i [D_DECL_PROTO_NAME]\n"
       "provider p { probe a(int i, char *i); };\n                            ^~~~~~~\n"
       "t.d:1:22: note: first declared here\n"
       "provider p { probe a(int i, char *i); };\n                     ^~~~~\n"},
  });
}

TEST(ParseError, InConstants) {
  expect_errors({
      {"B { 089; }",
       "t.d:1:6: error: invalid digit '8' in integer constant 089 [D_INT_DIGIT]\n"
       "B { 089; }\n     ^\n"},
      {"B { 12foo; }",
       "t.d:1:7: error: invalid digit 'f' in integer constant 12foo [D_INT_DIGIT]\n"
       "B { 12foo; }\n      ^\n"},
      {"B { 0x; }",
       "t.d:1:6: error: invalid digit 'x' in integer constant 0x [D_INT_DIGIT]\n"
       "B { 0x; }\n     ^\n"},
      {"B { 1lul; }",
       "t.d:1:6: error: invalid suffix \"lul\" of integer constant 1lul [D_INT_DIGIT]\n"
       "B { 1lul; }\n     ^~~\n"},
      {"B { 18446744073709551616; }",
       "t.d:1:5: error: integer constant 18446744073709551616 does not fit in 64 bits "
       "[D_INT_OFLOW]\nB { 18446744073709551616; }\n    ^~~~~~~~~~~~~~~~~~~~\n"},
      {"B { x = 'ab; }",
       "t.d:1:9: error: this character constant is not closed on its line [D_CHR_NL]\n"
       "B { x = 'ab; }\n        ^\n"},
      {"B { x = ''; }",
       "t.d:1:9: error: this character constant is empty [D_CHR_NULL]\n"
       "B { x = ''; }\n        ^~\n"},
      {"B { x = 'abcdefghi'; }",
       "t.d:1:9: error: this character constant has 9 characters; at most 8 fit [D_CHR_OFLOW]\n"
       "B { x = 'abcdefghi'; }\n        ^~~~~~~~~~~\n"},
      {"B { trace(\"abc); }\n",
       "t.d:1:11: error: this string is not closed on its line [D_STR_NL]\n"
       "B { trace(\"abc); }\n          ^\nhint: write \\n for a newline\n"},
      {"B { /* abc }",
       "t.d:1:5: error: this comment is never closed [D_SYNTAX]\nB { /* abc }\n    ^~\n"},
  });
}

TEST(ParseError, DoesNotKeepLaterOnesFromBeingFound) {
  ParseRun run(
      "B { x = ; y = 1; z = ); }\n"
      "int 3;\n"
      "E /1 +/ { w = ]; }\n"
      "struct s { int };\n"
      "F { for (;;) { ; } v = ; }\n");
  run.tree();
  std::string lines;
  for (const Diagnostic& d : run.diagnostics.all()) {
    lines += support::headline(d, run.sources, false) + "\n";
  }
  EXPECT_EQ(lines,
            "line 1: syntax error near \";\"\n"
            "line 1: syntax error near \")\"\n"
            "line 2: syntax error near \"3\"\n"
            "line 3: syntax error near \"/\"\n"
            "line 3: syntax error near \"]\"\n"
            "line 4: syntax error near \"}\"\n"
            "line 5: syntax error near \"for\"\n"
            "line 5: syntax error near \";\"\n");
}

TEST(ParseError, InABranchDoesNotOrphanTheElse) {
  ParseRun run("B { if (x) y = ; else if (z) a = ); else b; c = ]; }");
  run.tree();
  std::string places;
  for (const Diagnostic& d : run.diagnostics.all()) {
    places += fmt::format("{} {}\n", d.span.begin, d.text);
  }
  EXPECT_EQ(places,
            "15 syntax error near \";\"\n"
            "33 syntax error near \")\"\n"
            "48 syntax error near \"]\"\n");
}

TEST(ParseError, QuotesNoMoreOfALongTokenThanHelps) {
  ParseRun run("B { x \"" + std::string(1000, 'a') + "\"; }");
  run.tree();
  EXPECT_EQ(run.diagnostics.all()[0].text,
            "syntax error near \"\"" + std::string(39, 'a') + "...\"");
}

}  // namespace
}  // namespace dt::d

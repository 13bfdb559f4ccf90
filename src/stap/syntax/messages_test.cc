// Several errors of a script, and errors in what macros have made.

#include "stap/syntax/messages.h"

#include <fmt/core.h>
#include <gtest/gtest.h>

#include <optional>

#include "stap/syntax/lexer.h"
#include "stap/syntax/parser.h"
#include "stap/syntax/preprocess.h"

namespace dt::stap {
namespace {

void parsed(const std::string& text, std::string& errors) {
  Sources sources;
  Diagnostics diagnostics;
  Messages messages(sources, diagnostics);
  Arguments arguments;
  const std::vector<Token> tokens = preprocess(
      lex(sources, sources.add(Source("x.stp", text)), arguments),
      [](std::string_view) { return std::nullopt; }, {}, messages);
  Script script;
  parse(tokens, messages, script, false);
  for (const Diagnostic& one : diagnostics.all()) errors += one.text + "\n";
}

// What is wrong with one declaration does not hide what is wrong with the next one.
TEST(SyntaxMessages, ParsingGoesOnBehindAnError) {
  std::string errors;
  parsed(
      "probe begin { x = }\nglobal 5\nprobe end { println(1 2) }\n"
      "function f(a b) { } probe a { }",
      errors);
  EXPECT_EQ(errors,
            "parse error: expected literal string or number\n"
            "        saw: operator '}' at x.stp:1:19\n"
            "     source: probe begin { x = }\n"
            "                               ^\n\n"
            "parse error: expected identifier\n"
            "        saw: number '5' at x.stp:2:8\n"
            "     source: global 5\n"
            "                    ^\n\n"
            "parse error: expected one of ', )'\n"
            "        saw: number '2' at x.stp:3:23\n"
            "     source: probe end { println(1 2) }\n"
            "                                   ^\n\n"
            "parse error: expected ',' or ')'\n"
            "        saw: identifier 'b' at x.stp:4:14\n"
            "     source: function f(a b) { } probe a { }\n"
            "                          ^\n\n");
}

TEST(SyntaxMessages, AnErrorInAMacroShowsWhereItIsUsed) {
  std::string errors;
  parsed(
      "@define one(x) %( @x ] %)\n@define two(y) %( @one(@y) %)\n"
      "probe begin { print(@two(1)) }",
      errors);
  EXPECT_EQ(errors,
            "parse error: expected one of ', )'\n"
            "        saw: operator ']' at x.stp:1:22\n"
            "     source: @define one(x) %( @x ] %)\n"
            "                                  ^\n"
            "\tin expansion of macro: operator '@one' at x.stp:2:19\n"
            "     source: @define two(y) %( @one(@y) %)\n"
            "                               ^\n"
            "\tin expansion of macro: operator '@two' at x.stp:3:21\n"
            "     source: probe begin { print(@two(1)) }\n"
            "                                 ^\n\n");
}

// Which of them the error is about is not known.
TEST(SyntaxMessages, AnErrorInAMacroOfSeveralUsesShowsNone) {
  std::string errors;
  parsed("@define m(x) %( @x ] %)\nprobe begin { print(@m(1)) }\nprobe end { print(@m(1)) }",
         errors);
  const std::string one =
      "parse error: expected one of ', )'\n"
      "        saw: operator ']' at x.stp:1:20\n"
      "     source: @define m(x) %( @x ] %)\n"
      "                                ^\n\n";
  EXPECT_EQ(errors, one + one);
}

TEST(SyntaxMessages, WhatMacrosMakeHasALimit) {
  std::string nothing = "@define m0 %( %)\n";
  for (int i = 1; i < 27; ++i) {
    nothing += fmt::format("@define m{0} %( @m{1} @m{1} %)\n", i, i - 1);
  }
  for (const std::string& text : {std::string("@define m(x) %( @m(@x @x) %) probe begin { @m(1) }"),
                                  nothing + "probe begin { @m26 }"}) {
    std::string errors;
    parsed(text, errors);
    EXPECT_TRUE(errors.starts_with("parse error: macros make too many tokens\n")) << errors;
  }
}

// A condition that is wrong is an error, its parts stay, and so are the marks around them.
TEST(SyntaxMessages, WhatIsWrongBeforeTheParserComesInItsOrder) {
  std::string errors;
  parsed("probe begin { x = }\n%( 1 = 1 %? probe a { } %)\nprobe end { y = }\nprobe error { \"",
         errors);
  EXPECT_EQ(errors,
            "parse error: expected literal string or number\n"
            "        saw: operator '}' at x.stp:1:19\n"
            "     source: probe begin { x = }\n"
            "                               ^\n\n"
            "parse error: expected comparison operator\n"
            "         at: operator '=' at x.stp:2:6\n"
            "     source: %( 1 = 1 %? probe a { } %)\n"
            "                  ^\n\n"
            "parse error: incomplete conditional - missing '%('\n"
            "         at: operator '%?' at x.stp:2:10\n"
            "     source: %( 1 = 1 %? probe a { } %)\n"
            "                      ^\n\n"
            "parse error: incomplete conditional - missing '%('\n"
            "         at: operator '%)' at x.stp:2:25\n"
            "     source: %( 1 = 1 %? probe a { } %)\n"
            "                                     ^\n\n"
            "parse error: expected literal string or number\n"
            "        saw: operator '}' at x.stp:3:17\n"
            "     source: probe end { y = }\n"
            "                             ^\n\n"
            "parse error: Could not find matching closing quote\n"
            "         at: junk '' at x.stp:4:15\n"
            "     source: probe error { \"\n"
            "                           ^\n\n");
}

}  // namespace
}  // namespace dt::stap

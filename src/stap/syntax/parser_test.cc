// The printed tree parses again to the same tree.

#include "stap/syntax/parser.h"

#include <gtest/gtest.h>

#include "stap/syntax/lexer.h"
#include "stap/syntax/print.h"

namespace dt::stap {
namespace {

std::string parsed(const std::string& text, std::string& errors) {
  Sources sources;
  Diagnostics diagnostics;
  Messages messages(sources, diagnostics);
  Arguments arguments;
  const std::vector<Token> tokens = lex(sources, sources.add(Source("x.stp", text)), arguments);
  Script script;
  if (!tokens.empty()) parse(tokens, messages, script, true);
  for (const Diagnostic& one : diagnostics.all()) errors += one.text + "\n";
  return print(script);
}

TEST(StapParser, WhatIsPrintedParsesToTheSame) {
  const char* const scripts[] = {
      "global a, b%[10], d = -5, c = \"x\\n\" probe begin, end(2) { }",
      "private global p function f:long (x:string, y) { return 1 }",
      "probe syscall.{open,close}.return, kernel.function(\"a*\").call ? { }",
      "probe x = timer.ms(10).randomize(2) { } probe y += x { }",
      "probe process(\"/bin/sh\").mark(\"m\") ! if (x > 1) { }",
      "probe begin { if (a) b = 1; else if (c) d; else { e } while (1) ; for (;;) break }",
      "probe begin { foreach ([x-, y] in a[*, 3] limit 5) { delete a[x, *] next } }",
      "probe begin { foreach (v = [x, y] in s @sum-) continue try { x } catch (m) { } try { } "
      "catch { } }",
      "probe begin { x = y = 1 ? 2 : 3 || 4 && 5 | 6 ^ 7 & 8 == 9 << 10 . 11 + 12 * -13 }",
      "probe begin { x <<< 1; y += @hist_log(x)[3] + @hist_linear(x, -1, 10, 2)[0] + @variance(x, "
      "3) }",
      "probe begin { print($a->b[1]->c, &$x->y, $$parms, $z$, @cast(0, \"t\")->u, @defined($q)) }",
      "probe begin { print([1, *] in a, \"k\" in b, !(x in c)) a[1]++ --b[2] }",
      "# one\n// two\n/* three */ probe never { }",
  };
  for (const char* const script : scripts) {
    std::string errors;
    const std::string once = parsed(script, errors);
    EXPECT_EQ(errors, "") << script;
    EXPECT_EQ(parsed(once, errors), once) << script;
    EXPECT_EQ(errors, "") << once;
  }
}

TEST(StapParser, OperatorsBindAsInTheLanguage) {
  std::string errors;
  EXPECT_EQ(parsed("probe begin { x = 1 + 2 * 3 . 4 == 5 in a && 6 }", errors),
            "probe begin\n{\n  (x = (([(((1 + (2 * 3)) . 4) == 5)] in a) && 6))\n}\n");
  EXPECT_EQ(errors, "");
}

TEST(StapParser, EveryTextIsReadOrRefused) {
  const char* const wrong[] = {"probe",
                               "probe begin",
                               "probe begin {",
                               "global",
                               "function f(",
                               "probe begin { \"x }",
                               "/* ",
                               "probe begin { x = }",
                               "probe begin { foreach (x) }",
                               "probe begin { 0x }",
                               "probe begin { 08 }",
                               "%{",
                               "probe begin { @count( }",
                               "probe begin { try { } }",
                               "probe a.b( { }"};
  for (const char* const script : wrong) {
    std::string errors;
    parsed(script, errors);
    EXPECT_TRUE(errors.starts_with("parse error: ")) << script << "\n" << errors;
  }
  std::string deep = "probe begin { x = ";
  for (int i = 0; i < 100000; ++i) deep += '(';
  std::string errors;
  parsed(deep, errors);
  EXPECT_TRUE(errors.starts_with("parse error: nested too deeply")) << errors.substr(0, 100);
}

}  // namespace
}  // namespace dt::stap

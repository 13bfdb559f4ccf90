// The whole grammar: what is of the language is read, and prints as text that is read again to the
// same; what is not is refused where it is wrong.

#include <gtest/gtest.h>

#include <optional>
#include <string>

#include "stap/syntax/lexer.h"
#include "stap/syntax/parser.h"
#include "stap/syntax/preprocess.h"
#include "stap/syntax/print.h"

namespace dt::stap {
namespace {

std::optional<std::string> condition_value(std::string_view word) {
  if (word == "kernel_v") return "6.1.0";
  if (word == "kernel_vr") return "6.1.0-13.fc13";
  if (word == "arch") return "x86_64";
  if (word == "systemtap_v") return "5.0";
  if (word == "CONFIG_HZ") return "250";
  return std::nullopt;
}

std::string parsed(const std::string& text, std::string& errors) {
  Sources sources;
  Diagnostics diagnostics;
  Messages messages(sources, diagnostics);
  Arguments arguments{{"7", "word"}, {}};
  std::vector<Token> tokens = lex(sources, sources.add(Source("x.stp", text)), arguments);
  Script script;
  if (!tokens.empty()) tokens = preprocess(std::move(tokens), condition_value, {}, messages);
  if (!tokens.empty()) parse(tokens, messages, script, true);
  for (const Diagnostic& one : diagnostics.all()) errors += one.text + "\n";
  return print(script);
}

// Bodies of `probe begin { ... }`.
const char* const kGoodBodies[] = {
    "",
    ";",
    ";;;",
    "x",
    "x;",
    "x; y;",
    "x y z",
    "{ } { { } }",
    "x = 1",
    "x = y = z = 1",
    "x += 1 x -= 1 x *= 2 x /= 2 x %= 2",
    "x &= 1 x |= 1 x ^= 1 x <<= 1 x >>= 1",
    "s .= \"a\"",
    "s <<< 1",
    "s[1, \"a\"] <<< $x",
    "++x --x x++ x--",
    "a[1]++ --a[2]",
    "x = -1 y = +1 z = !1 w = ~1",
    "x = - - 1",
    "x = !!y",
    "x = 0 y = 0777 z = 0xffffffffffffffff",
    "x = 9223372036854775807",
    "x = 18446744073709551615",
    "s = \"\"",
    "s = \"a\" \"b\" \"c\"",
    "s = \"\\n\\t\\r\\a\\b\\f\\v\\\\\\\"\"",
    "s = \"\\101\\x41\\0\"",
    "s = \"a\" . \"b\" . sprint(1)",
    "x = a ? b : c ? d : e",
    "x = (a ? b : c) ? d : e",
    "x = a || b && c | d ^ e & f",
    "x = a == b != c",
    "x = a < b x = a <= b x = a > b x = a >= b",
    "x = a << 1 >> 2",
    "x = a + b - c * d / e % f",
    "x = s =~ \"^a.*b$\"",
    "x = s !~ \"x\"",
    "if (s =~ \"a(b)\") print(matched(1))",
    "x = 1 in a",
    "x = \"k\" in a",
    "x = [1, \"k\"] in a",
    "x = [*, 3] in a",
    "x = !([1, 2] in a)",
    "x = [f(1), b[2]] in a",
    "if (x) y",
    "if (x) y; else z",
    "if (x) { y } else if (z) { w } else { v }",
    "if (x) ; else ;",
    "if (a) if (b) c; else d",
    "while (x) x--",
    "while (1) { if (x) break; continue }",
    "while (x) ;",
    "for (;;) break",
    "for (i = 0; i < 10; i++) x += i",
    "for (; i < 10; ) i++",
    "foreach (k in a) x",
    "foreach ([k] in a) x",
    "foreach ([k, l] in a) { x }",
    "foreach (k+ in a) x",
    "foreach (k- in a) x",
    "foreach ([k, l-] in a limit 5) x",
    "foreach (k in a+) x",
    "foreach (k in a- limit n * 2) x",
    "foreach (k in a @sum-) x",
    "foreach (k in a @count+ limit 3) x",
    "foreach (v = k in a) x",
    "foreach (v = [k, l] in a-) x",
    "foreach ([k, l] in a[*, 3]) x",
    "foreach ([k, l] in a[f(1), *] @avg- limit 2) x",
    "foreach (b in @hist_log(s)) x",
    "foreach (b in @hist_log(s[1, 2])) x",
    "foreach (b in @hist_log(s) limit 2) x",
    "foreach (b in @hist_linear(s, 0, 100, 10)) x",
    "delete x",
    "delete a",
    "delete a[1]",
    "delete a[1, *]",
    "next",
    "next;",
    "try { x } catch { y }",
    "try { x } catch (m) { y }",
    "try { try { x } catch { } } catch (m) { error(m) }",
    "print(@count(s)) print(@sum(s)) print(@min(s)) print(@max(s)) print(@avg(s))",
    "print(@variance(s)) print(@variance(s, 3))",
    "print(@hist_log(s)) print(@hist_linear(s, -10, 10, 2))",
    "x = @hist_log(s)[64]",
    "x = @hist_linear(s[1], 0, 100, 10)[i + 1]",
    "x = @count(s[k])",
    "print($x) print($x->y) print($x->y->z) print($x[1]) print($x->y[1]->z[i])",
    "print(&$x->y) print(&$x->y[2]) print(&$x)",
    "print($x$) print($x$$) print($x->y$) print($x->y$$) print($x[1]$) print($x[1]$$)",
    "print($$vars) print($$parms) print($$locals) print($$return) print($$name)",
    "print($$vars$) print($$parms$$) print($$return$)",
    "print($return) print($return->x) print($arg1)",
    "print(@cast(p, \"task_struct\")->pid)",
    "print(@cast(p, \"task_struct\", \"kernel\")->parent->pid)",
    "print(@cast(p, \"struct foo\", \"kernel<linux/foo.h>\")->x[1])",
    "print(&@cast(0, \"int\")[1])",
    "print(@cast(p, \"task_struct\")$) print(@cast(p, \"task_struct\")$$)",
    "print(@var(\"jiffies\")) print(@var(\"init_task@init/init_task.c\")->pid)",
    "print(@var(\"x\", \"kernel\")->y) print(&@var(\"x\")) print(@var(\"x\")$)",
    "if (@defined($x)) print($x)",
    "print(@defined($x->y) ? $x->y : 0)",
    "if (@defined(@var(\"x\"))) y",
    "print(@choose_defined($x, $y)) print(@choose_defined($x, 0))",
    "print(@const(\"EINVAL\")) print(@enum(\"PIDTYPE_PID\"))",
    "print(@entry($x)) print(@entry(gettimeofday_us()))",
    "print(@kderef(8, addr)) print(@uderef(4, addr + 2)) print(@kregister(0))",
    "if (@probewrite(x)) y",
    "print(@perf(\"cycles\"))",
    "t = task_current() print(t->pid) print(t->group_leader->comm[0])",
    "print(task_current()->pid) print((t)->pid) print(a[1]->pid) print(&t->comm)",
    "print(t->pid$)",
    "x = %{ 42 %}",
    "x = %{ /* pure */ ENOENT %} + 1",
    "print(f()) print(g(1, \"a\", h(2)))",
    "x ? y = 1 : z = 2",
    "w = x ? y = 1 : z",
    "x /* a */ y // b\n z # c\n w",
    "x = $1 s = @2 n = $# m = @#",
    "%( kernel_v >= \"5.0\" %? x %: y %)",
    "%( kernel_v >= \"5.0\" && arch == \"x86_64\" || CONFIG_HZ == \"100\" %? x %)",
    "%( kernel_vr == \"*fc13*\" %? x %: syntax ) error %)",
    "%( arch == \"[px]*_64\" %? x %: syntax ) error %)",
    "%( 1 == 1 %? %( 2 == 3 %? a %: b %) %: c %)",
    "%( $1 == 7 %? x %: y %)",
    "x = %( systemtap_v <= \"1.0\" %? old() %: 1 %)",
};

const char* const kGood[] = {
    "",
    "# only a comment",
    "global x",
    "global x;",
    "global x, y, z",
    "global x = 1, s = \"a\", n = -5",
    "global a[10]",
    "global a[10], b%[5], c%",
    "private global p",
    "private function f() { }",
    "function f() { }",
    "function f() { if (x) return; return }",
    "function f(x) { return x }",
    "function f(x, y) { }",
    "function f:long(x:long, s:string) { return x }",
    "function f:long (a:string) { return 0 }",
    "function f(x):2 { next }",
    "function f:long(x):5 { return x }",
    "function f() %{ STAP_RETURN(1); %}",
    "function f:long(x:long) %{ /* pure */ STAP_RETURN(STAP_ARG_x + 1); %}",
    "%{ #include <linux/fs.h>\n %}",
    "probe begin { }",
    "probe begin, end { }",
    "probe begin(1), end(-1) { }",
    "probe a.b.c(\"d\").e(1) { }",
    "probe a.b ? { }",
    "probe a.b !, c { }",
    "probe a if (x > 1) { }",
    "probe a ? if (x) , b { }",
    "probe {a,b}.c { }",
    "probe a.{b,c*}.return { }",
    "probe a.{b,c} if (x) { }",
    "probe syscall.*, syscall.open*, syscall.*at { }",
    "probe a.** { }",
    "probe kernel.function(\"*@fs/*.c\").call { }",
    "probe kernel.function(\"a\"), kernel.function(\"b\").return.maxactive(5) { }",
    "probe process(\"/bin/ls\").statement(\"*@ls.c:10\") { }",
    "probe process(1).begin, process.end { }",
    "probe timer.ms(100), timer.s(1).randomize(2) { }",
    "probe module(\"ext4\").function(\"*\").return { }",
    "probe kernel.statement(0xffffffff81000000).absolute { }",
    "probe x = begin { }",
    "probe x.y = syscall.open, syscall.close ? { z = 1 }",
    "probe x += begin { }",
    "probe x = y = begin { }",
    "probe x = begin { a = 1 }, { b = 2 }",
    "probe x = begin { } probe x.return { }",
    "@define one %( 1 %) probe begin { print(@one) }",
    "@define add(a, b) %( (@a + @b) %) probe begin { print(@add(1, f(2, 3))) }",
    "@define nested %( @inner %) @define inner %( 5 %) probe begin { print(@nested) }",
    "probe begin { } probe end { }",
};

TEST(Grammar, EveryFormIsReadAndPrintsAsItself) {
  std::vector<std::string> all;
  for (const char* const body : kGoodBodies) {
    all.push_back("probe begin { " + std::string(body) + "\n }");
  }
  for (const char* const script : kGood) all.emplace_back(script);
  EXPECT_GE(all.size(), 100U);
  for (const std::string& script : all) {
    std::string errors;
    const std::string once = parsed(script, errors);
    EXPECT_EQ(errors, "") << script;
    EXPECT_EQ(parsed(once, errors), once) << script;
    EXPECT_EQ(errors, "") << script << "\nprints as\n" << once;
  }
}

struct Bad {
  const char *script, *message;
};

const Bad kBad[] = {
    {"probe", "expected identifier or '*'"},
    {"probe begin", "expected one of"},
    {"probe begin {", "expected statement"},
    {"probe begin }", "expected one of"},
    {"probe { }", "expected identifier or '*'"},
    {"probe 5 { }", "expected identifier or '*'"},
    {"probe begin. { }", "expected identifier or '*'"},
    {"probe begin, { }", "expected identifier or '*'"},
    {"probe begin(x) { }", "expected literal string or number"},
    {"probe begin( { }", "expected literal string or number"},
    {"probe begin(1 { }", "expected ')'"},
    {"probe begin(-\"a\") { }", "expected literal string or number"},
    {"probe a.{b,} { x }", "expected identifier"},
    {"probe begin if x { }", "expected '('"},
    {"probe begin if (x { }", "expected ')'"},
    {"probe x = { }", "expected identifier or '*'"},
    {"probe x = begin", "expected one of"},
    {"probe x, y = begin { }", "expected probe point specifier"},
    {"probe x(1) = begin { }", "invalid probe point alias name"},
    {"probe x* = begin { }", "invalid probe point alias name"},
    {"probe x ? = begin { }", "probe point alias name cannot be optional nor sufficient"},
    {"probe x = y += begin { }", "expected probe point specifier"},
    {"probe x += begin { }, { }", "Combined prologue and epilogue cannot be defined with '+='"},
    {"probe begin { } { }", "expected 'probe'"},
    {"x", "expected 'probe'"},
    {"begin { }", "expected 'probe'"},
    {"42", "expected 'probe'"},
    {"\"text\"", "expected 'probe'"},
    {"private probe begin { }", "expected 'function' or identifier"},
    {"global", "unexpected end-of-file"},
    {"global 5", "expected identifier"},
    {"global if", "expected identifier"},
    {"global $x", "expected identifier"},
    {"global x,", "unexpected end-of-file"},
    {"global x[", "unexpected end-of-file"},
    {"global x[0]", "array size out of range"},
    {"global x[-1]", "array size out of range"},
    {"global x[y]", "expected number"},
    {"global x[5", "expected ']'"},
    {"global x =", "expected literal"},
    {"global x = y", "expected literal"},
    {"global x[2] = 1", "only scalar globals can be initialized"},
    {"global x global y, x", "duplicate global name"},
    {"global x = -\"a\"", "expected literal"},
    {"global x = {1, 2}", "expected literal"},
    {"function", "unexpected end-of-file"},
    {"function 5() { }", "expected identifier"},
    {"function f(", "unexpected end-of-file"},
    {"function f(x", "expected ',' or ')'"},
    {"function f(x y) { }", "expected ',' or ')'"},
    {"function f(x:int) { }", "expected 'string' or 'long'"},
    {"function f:stats() { }", "expected 'string' or 'long'"},
    {"function f { }", "expected '('"},
    {"function f(x):string { return \"\" }", "expected literal string or number"},
    {"function f(x):0 { }", "specified priority must be > 0"},
    {"function f(x):-1 { }", "specified priority must be > 0"},
    {"function f(x):\"a\" { }", "expected literal number"},
    {"global a[]", "expected number"},
    {"probe begin { };", "expected 'probe', 'global', 'private', 'function', or '%{'"},
    {"@define m() %( 1 %)", "expected identifier"},
    {"@define m(x,) %( 1 %)", "expected identifier"},
    {"@define m(x %( 1 %)", "expected ',' or ')'"},
    {"@define m 1", "expected '%(' or '('"},
    {"@define m %( 1", "incomplete macro definition - missing '%)'"},
    {"@define m(x, y) %( 1 %) probe begin { @m(1) }", "too few parameters for macro '@m'"},
    {"@define m(x) %( 1 %) probe begin { @m(1, 2) }", "too many parameters for macro '@m'"},
    {"@define m(x) %( 1 %) probe begin { @m(1 }", "could not find end of macro invocation"},
    {"@define m(x) %( 1 %) probe begin { @m }",
     "expected '(' in invocation of macro '@m' taking 1"},
    {"%( \"x\" == arch %? probe begin { } %)", "expected 'arch', 'kernel_v'"},
    {"%( 1 == 1 %? a %: b %: c %)", "invalid conditional - duplicate '%:'"},
    {"probe begin { } %)", "incomplete conditional - missing '%('"},
    {"function f():x { }", "expected literal string or number"},
    {"function f()", "expected '{'"},
    {"function f() = 1", "expected '{'"},
    {"function while() { }", "expected identifier"},
    {"%{", "Could not find matching '%}'"},
    {"/* ", "unterminated comment"},
    {"@define", "expected identifier"},
    {"@define m", "expected '%('"},
    {"@define m %( 1", "missing '%)'"},
    {"@define m %( 1 %) @define m %( 2 %)", "attempt to redefine macro"},
    {"@define m(a) %( @a %) probe begin { @m }", "expected '('"},
    {"@define m(a) %( @a %) probe begin { @m(1, 2) }", "too many parameters for macro"},
    {"@define m(a) %( @a %) probe begin { @m(1 }", "could not find end of macro invocation"},
    {"@define m %( @m %) probe begin { @m }", "macros are nested too deeply"},
    {"%( kernel_v %? %: %)", "expected"},
    {"%( kernel_v = \"1\" %? %)", "expected comparison operator"},
    {"%( foo == 1 %? %)", "expected 'arch'"},
    {"%( kernel_v == 6 %? %)", "expected string literal"},
    {"%( arch >= \"x\" %? %)", "expected '==' or '!='"},
    {"%( 1 == 1 %)", "expected '%?' marker for conditional"},
    {"%( 1 == 1 %? probe begin { }", "incomplete conditional at end of file"},
};

const Bad kBadBodies[] = {
    {"x =", "expected"},
    {"x +", "expected"},
    {"x + * y", "expected"},
    {"* x", "expected literal string or number"},
    {"x..y", "expected"},
    {"= 1", "expected literal string or number"},
    {"(x", "expected ')'"},
    {"x)", "expected literal string or number"},
    {"f(", "expected"},
    {"f(1", "expected one of ') ,'"},
    {"f(1,)", "expected"},
    {"f(,)", "expected"},
    {"a[", "expected"},
    {"a[]", "expected"},
    {"a[1", "expected one of '] ,'"},
    {"a[1,]", "expected"},
    {"x ? y", "expected ':'"},
    {"return 1", "found 'return' not in function context"},
    {"s =~ t", "expected literal string"},
    {"printf(f)", "expected literal string"},
    {"printd(d, 1)", "expected literal string"},
    {"sprintf(\"%q\", 1)", "invalid or missing conversion specifier"},
    {"print()", "expected literal string or number"},
    {"sprintdln(\",\")", "expected literal string or number"},
    {"println = 1", "expected '('"},
    {"string = 1", "expected statement"},
    {"x ? : y", "expected"},
    {"x ? y :", "expected"},
    {"x in", "expected identifier"},
    {"x in 5", "expected identifier"},
    {"[1, 2]", "unexpected comma-separated expression list"},
    {"[1, 2 in a", "expected ',' or ']'"},
    {"[] in a", "expected"},
    {"if", "expected '('"},
    {"if x", "expected '('"},
    {"if (x", "expected ')'"},
    {"if ()", "expected"},
    {"if (x)", "expected literal string or number"},
    {"else x", "expected statement"},
    {"if (x) y else", "expected literal string or number"},
    {"while", "expected '('"},
    {"while ()", "expected"},
    {"while (x)", "expected literal string or number"},
    {"for", "expected '('"},
    {"for (x) y", "expected ';'"},
    {"for (;;", "expected"},
    {"for (;)", "expected"},
    {"for (i = 0; i < 1) x", "expected ';'"},
    {"foreach", "expected '('"},
    {"foreach (x)", "expected 'in'"},
    {"foreach (x in)", "expected identifier"},
    {"foreach (x in 5) y", "expected identifier"},
    {"foreach ([x in a) y", "expected ',' or ']'"},
    {"foreach ([x+, y-] in a) z", "multiple sort directives"},
    {"foreach (x+ in a-) z", "multiple sort directives"},
    {"foreach (x in a @sum) z", "expected sort directive"},
    {"foreach (x in a limit) z", "expected"},
    {"foreach (x in @count(a)) z", "expected"},
    {"foreach (x, y in a) z", "expected 'in'"},
    {"foreach (1 in a) z", "expected identifier"},
    {"foreach (x in a) ", "expected literal string or number"},
    {"delete", "expected"},
    {"delete ;", "expected"},
    {"try x", "expected '{'"},
    {"try { }", "expected 'catch'"},
    {"try { } catch", "expected '{'"},
    {"try { } catch (5) { }", "expected identifier"},
    {"try { } catch (m { }", "expected ')'"},
    {"catch { }", "expected statement"},
    {"limit 5", "expected statement"},
    {"in x", "expected statement"},
    {"\"abc", "Could not find matching closing quote"},
    {"\"a\nb\"", "Could not find matching closing quote"},
    {"x = 08", "number invalid"},
    {"x = 0x", "number invalid"},
    {"x = 12ab", "number invalid"},
    {"x = 99999999999999999999", "number invalid"},
    {"x = `id`", "expected literal string or number"},
    {"x = 'a'", "expected literal string or number"},
    {"x \\ y", "expected literal string or number"},
    {"@count", "expected '('"},
    {"@count()", "expected"},
    {"@count(s, 1)", "not more than 1 parameter allowed"},
    {"@hist_log(s, 1)", "expected ')'"},
    {"@hist_linear(s)", "expected ','"},
    {"@hist_linear(s, 1, 2)", "expected ','"},
    {"@hist_linear(s, x, 2, 3)", "expected number"},
    {"@variance(s, 1, 2)", "not more than 2 parameters allowed"},
    {"@hist_log(s)[", "expected"},
    {"@hist_log(s)[1", "expected ']'"},
    {"@cast(x)", "expected ','"},
    {"@cast(x, y)->z", "expected string"},
    {"@cast(x, \"t\", \"m\", 1)", "expected ')'"},
    {"@cast(x, \"t\")->5", "expected identifier"},
    {"@var(x)", "expected string"},
    {"@var()", "expected string"},
    {"@defined()", "expected literal string or number"},
    {"@defined($x, $y)", "expected ')'"},
    {"@entry()", "expected literal string or number"},
    {"@const(x)", "expected literal string"},
    {"@choose_defined($x)", "too few parameters for macro '@choose_defined' (expected 2)"},
    {"@kderef(x, y)", "expected literal number"},
    {"@probewrite(5)", "expected identifier"},
    {"@nothing(1)", "unknown operator @nothing"},
    {"foreach (@x in a) { }", "expected identifier"},
    {"foreach (k in a @hist_log-) { }", "expected statistical operation"},
    {"x = @hist_log(s)", "base histogram operator where expression expected"},
    {"print(1, @hist_log(s))", "base histogram operator where expression expected"},
    {"print(@hist_log(s), 1)", "expected ')'"},
    {"printf(\"%lld\", 1)", "invalid or missing conversion specifier"},
    {"printf((\"%q %d\\n\"), 5)", "invalid or missing conversion specifier"},
    {"printf(\"%d \" . x)", "expected one of ', )'"},
    {"&x", "expected target variable"},
    {"&5", "expected target variable"},
    {"$x->", "expected identifier"},
    {"$x[", "expected"},
    {"$x[1", "expected ']'"},
    {"t->", "expected identifier"},
    {"$", "unexpected character"},
    {"$5", "command line argument out of range [1-2]"},
    {"@0", "command line argument out of range [1-2]"},
    {"x; }", "expected 'probe'"},
    {"%( 1 == 1 %? x", "incomplete conditional at end of file"},
    {"x = %{ 1", "Could not find matching '%}'"},
};

TEST(Grammar, WhatIsNotOfTheLanguageIsRefusedWhereItIs) {
  std::vector<std::pair<std::string, std::string>> all;
  for (const Bad& one : kBad) all.emplace_back(one.script, one.message);
  for (const Bad& one : kBadBodies) {
    all.emplace_back("probe begin { " + std::string(one.script) + " }", one.message);
  }
  EXPECT_GE(all.size(), 100U);
  for (const auto& [script, message] : all) {
    std::string errors;
    parsed(script, errors);
    EXPECT_TRUE(errors.starts_with("parse error: ")) << script << "\n" << errors;
    EXPECT_NE(errors.substr(0, errors.find('\n')).find(message), std::string::npos)
        << script << "\nwanted: " << message << "\n"
        << errors;
    EXPECT_TRUE(errors.find("\n        saw: ") != std::string::npos ||
                errors.find("\n         at: ") != std::string::npos)
        << errors;
  }
}

TEST(Grammar, StatisticsWithinStatisticsHaveALimit) {
  std::string errors, script = "probe begin { ";
  for (int i = 0; i < 200000; ++i) script += "@count(";
  parsed(script, errors);
  EXPECT_TRUE(errors.starts_with("parse error: nested too deeply\n")) << errors.substr(0, 200);
}

TEST(Grammar, AScriptMayBeginWithAByteOrderMark) {
  std::string errors;
  parsed("\xef\xbb\xbfprobe begin { exit() }", errors);
  EXPECT_EQ(errors, "");
}

TEST(Grammar, WhatIsNoTextHasOneMessage) {
  for (const auto& [text, message] : std::vector<std::pair<std::string, std::string>>{
           {std::string("\x7f\x45\x4c\x46\x02\0", 6),
            "this is an ELF file, not the text of a script"},
           {std::string("\xff\xfep\0", 4), "this seems to be UTF-16: save it as UTF-8"},
           {std::string("\xfe\xff\0p", 4), "this seems to be UTF-16: save it as UTF-8"}}) {
    std::string errors;
    parsed(text, errors);
    EXPECT_TRUE(errors.starts_with("parse error: " + message + "\n         at: ")) << errors;
  }
}

TEST(Grammar, WhatIsOfDSaysSo) {
  for (const auto& [text, hint] : std::vector<std::pair<std::string, std::string>>{
           {"syscall::open:entry { }", "this is D: dtrace -n '...'"},
           {"profile-97 { }", "this is D: dtrace -n '...'"},
           {"BEGIN { trace(1); }", "this is D: dtrace -n '...'"},
           {"probe syscall::open:entry { }", "here it is syscall.open"},
           {"probe a:b { }", "a probe of D is dtrace(\"provider:module:function:name\")"},
           {"probe tick-1s { }", "here it is timer.s(1)"},
           {"probe begin, profile-97 { }", "here it is timer.profile.freq.hz(97)"},
           {"tick-1s { }", "this is D: dtrace -n '...'"},
           {"probe begin { @[1] = count(); }",
            "aggregations are of D: here, s[key] <<< value collects values in a global variable s"},
           {"kprobe:vfs_read { @start[tid] = nsecs; }",
            "here it is probe kernel.function(\"vfs_read\")"},
           {"kprobe:vfs_read { printf(1); }", "here it is probe kernel.function(\"vfs_read\")"},
           {"interval:s:5 { exit(); }", "here it is probe timer.s(5)"},
           {"probe syscall.open /pid == 1/ { }",
            "here a predicate is a condition in the handler: { if (...) ... }"},
           {"probe begin { @a = count(); }", "here it is global a, and a++"},
           {"probe begin { @a[x[1], 2] = count(); }", "here it is global a, and a[KEY]++"},
           {"probe begin { @a[1] = sum(2); }",
            "here it is global a, a[KEY] <<< VALUE, and @sum(a[KEY])"},
           {"probe begin { @a = quantize(2); }",
            "here it is global a, a <<< VALUE, and print(@hist_log(a))"},
           {"probe begin { @a[1] = lhist(2, 0, 10, 1); }",
            "here it is global a, a[KEY] <<< VALUE, and print(@hist_linear(a[KEY], LOW, HIGH, "
            "WIDTH))"},
           {"probe begin { @a++; }", "here it is global a, and a"},
           {"probe begin { @a[", "here it is global a, and a[KEY]"},
           {"probe begin { @nothing(1); }", ""},
           {"nothing { }", ""},
           {"x = 1", ""},
           {"probe begin { } }", ""}}) {
    std::string errors;
    parsed(text, errors);
    EXPECT_TRUE(errors.starts_with("parse error: ")) << text;
    const std::size_t at = errors.find("^\nhint: ");
    EXPECT_EQ(at == std::string::npos ? "" : errors.substr(at + 8),
              hint + (hint.empty() ? "" : "\n\n"))
        << errors;
  }
}

TEST(Grammar, OfALongLineAnErrorShowsWhatIsAroundItsPlace) {
  const std::string padding(1000, ' ');
  std::string errors;
  parsed("probe begin {" + padding + "x = = 1" + padding + "}", errors);
  const std::size_t source = errors.find("     source: ");
  const std::size_t caret = errors.find("\n", source) + 1;
  ASSERT_NE(source, std::string::npos);
  EXPECT_LT(errors.size(), 1000U);
  EXPECT_EQ(errors[source + errors.find('^', caret) - caret], '=');
}

TEST(Grammar, AnErrorShowsItsLineAndAnEndItsFile) {
  std::string errors;
  parsed("probe begin {\n\tx = = 1\n}", errors);
  EXPECT_EQ(errors,
            "parse error: expected literal string or number\n"
            "        saw: operator '=' at x.stp:2:6\n"
            "     source: \tx = = 1\n"
            "             \t    ^\n\n");
  errors.clear();
  parsed("probe begin { x", errors);
  EXPECT_EQ(errors, "parse error: expected statement\n        saw: x.stp EOF\n\n");
}

}  // namespace
}  // namespace dt::stap

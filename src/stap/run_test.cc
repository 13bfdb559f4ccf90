// Scripts from their text to what they print, without a kernel: handlers of events run over what
// the IR interpreter has recorded for them.

#include "stap/run.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "ir/interpret.h"
#include "ir/verify.h"
#include "stap/front_end.h"
#include "testing/ir/table_environment.h"
#include "testing/stap/few_probes.h"

namespace dt::stap {
namespace {

struct Script {
  explicit Script(std::string text, std::vector<std::string> arguments = {}) {
    Options options;
    options.arguments = std::move(arguments);
    options.kernel_release = "6.1.0-13";
    options.argument_names = FewProbes::names_of;
    options.kernel_config = [](std::string_view name) -> std::optional<std::string> {
      if (name == "CONFIG_HIDDEN") return std::nullopt;
      return name == "CONFIG_HZ" ? "250" : "undefined";
    };
    front_end = make_front_end(std::move(options));
    const front::Input input{sources.add(Source("x.stp", std::move(text)))};
    const front::World world{types, probes};
    program = front_end->compile({sources, std::span(&input, 1), world, diagnostics}, dump);
    for (const Diagnostic& one : diagnostics.all()) messages += one.text + "\n";
    environment.integers = {{ir::Builtin::kPid, 7}, {ir::Builtin::kTid, 8}};
    environment.texts = {{ir::Builtin::kExecname, "bash"}};
    environment.user = {{0x1000, {'/', 'e', 't', 'c', 0}}};
  }

  Script& begin() {
    if (!program) return *this;
    EXPECT_EQ(ir::verify(*program), std::vector<std::string>{});
    session().begin({[this](std::string_view text) { out += text; },
                     [this](std::string_view text) { messages += std::string(text) + "\n"; }});
    return *this;
  }
  // One firing of the probe with that number, by the IR interpreter.
  Script& fire(std::uint32_t probe, std::vector<std::int64_t> arguments) {
    for (std::uint32_t i = 0; i < arguments.size(); ++i) environment.arguments[i] = arguments[i];
    const probe::Description& at = probes.find(ProbeId{probe})->description;
    const record::ProbeNames names{ProbeId{probe}, at.provider, at.module, at.function, at.name};
    for (std::uint32_t i = 0; i < program->clauses.size(); ++i) {
      bool is_there = false;
      for (const probe::Point& point : program->clauses[i].points) {
        is_there = is_there || point.id == ProbeId{probe};
      }
      if (!is_there) continue;
      const ir::ClauseEpid clause[] = {{i, 1}};
      for (const ir::Bytes& bytes : ir::interpret(*program, clause, environment, state).records) {
        session().record({&names, i, 0, bytes});
      }
    }
    return *this;
  }
  std::string end() {
    if (program) session().end();
    return out;
  }
  std::string whole() { return begin().end(); }
  front::Session& session() { return *front_end->session(); }

  std::unique_ptr<front::FrontEnd> front_end;
  types::Catalog types;
  FewProbes probes;
  Sources sources;
  Diagnostics diagnostics;
  front::Dump dump;
  std::optional<ir::Program> program;
  ir::TableEnvironment environment;
  ir::State state;
  std::string out, messages;
};

struct Row {
  const char *script, *out;
};

TEST(Stap, HandlersOfTheSessionComputeAndPrint) {
  const Row rows[] = {
      {"probe begin { println(\"hello\") }", "hello\n"},
      {"probe begin(2) { print(2) } probe begin(-1) { print(1) } probe end { print(3) }", "123"},
      {"probe begin { printf(\"%d %s %5d|%-4s|%x %#x %c %%\\n\", -1, \"a\", 7, \"b\", 255, 255, "
       "65) }",
       "-1 a     7|b   |ff 0xff A %\n"},
      {"probe begin { printf(\"%p %p|%20p|%-7p|%.4p\", 4660, 0, 4660, 4660, 4660) }",
       "0x0000000000001234 0x0000000000000000|              0x1234|0x1234 |0x1234"},
      {"probe begin { printf(\"%*d|%.2s|%04d\", 4, 7, \"abc\", 42) }", "   7|ab|0042"},
      {"probe begin { printf(\"%x %d\", strtol(\"0xffffffff81000130\", 16), strtol(\"-5\", 10)) }",
       "ffffffff81000130 -5"},
      {"probe begin { print(\"abbc\" =~ \"^a(b+)c$\") print(matched(1)) print(ngroups()) "
       "print(\"x\" !~ "
       "\"y\") }",
       "1bb21"},
      {"probe begin { print(\"xabcabc\" =~ \"abc|abcabc\") print(matched(0)) }", "1abcabc"},
      {"probe begin { a = speculation() b = speculation() speculate(a) print(1) speculate(b) "
       "print(2) "
       "commit(a) discard(b) print(3) }",
       "13"},
      {"probe begin { s = speculation() speculate(s) print(1) } probe end { print(2) commit(1) }",
       "21"},
      {"probe begin { print(2 + 3 * 4 - 10 / 3 % 2) }", "13"},
      {"probe begin { print(1 << 3 | 1) print(~0) print(-7 / 2) print(0x10 + 010) }", "9-1-324"},
      {"probe begin { print(9223372036854775807 + 1) }", "-9223372036854775808"},
      {"probe begin { print(\"a\" . \"b\" \"c\") s = \"x\" s .= \"y\" print(s) }", "abcxy"},
      {"probe begin { print(\"abc\" < \"abd\") print(1 ? \"y\" : \"n\") }", "1y"},
      {"probe begin { print(0 && foo()) print(1 || foo()) } function foo() { print(\"!\") return 1 "
       "}",
       "01"},
      {"probe begin { i = 5 print(i++) print(++i) print(i--) print(i) i += 4 print(i) }", "577610"},
      {"probe begin { for (i = 0; i < 5; i++) { if (i == 1) continue if (i == 4) break print(i) } "
       "}",
       "023"},
      {"probe begin { while (1) { if (++i > 3) break } print(i) }", "4"},
      {"function f(n) { return n <= 1 ? 1 : n * f(n - 1) } probe begin { print(f(20)) }",
       "2432902008176640000"},
      {"function f(i) { if (i < 3) return i return f(i - 1) + f(i - 2) } probe begin { "
       "print(f(15)) "
       "}",
       "987"},
      {"function f(i) { if (i < 3) return i return g(i - 1) + f(i - 2) } function g(i) { return "
       "f(i) "
       "* 1 } probe begin { print(f(15)) }",
       "987"},
      {"function f:string(a:long, b:string) { return sprint(a) . b } probe begin { print(f(1, "
       "\"z\")) }",
       "1z"},
      {"function f(a) { print(\"one\") } function f(a, b) { print(\"two\") } probe begin { f(1) "
       "f(1, 2) }",
       "onetwo"},
      {"function f(x) { if (x > 1) next; print(\"small\") } function f(x):2 { print(\"large\") }"
       " probe begin { f(1) f(2) }",
       "smalllarge"},
      {"probe begin { try { print(1 / 0) } catch (m) { print(m) } }",
       "division by 0 near operator '/' at x.stp:1:29"},
      {"probe begin { try { error(\"mine\") } catch (m) { print(m) } }", "mine"},
      {"probe begin { printd(\"|\", 1, \"a\", 2) printdln(\",\", 3, 4) }", "1|a|23,4\n"},
      {"probe begin { exit() print(1) } probe begin { print(2) } probe end { print(3) }", "13"},
      {"probe begin { print(1) next print(2) }", "1"},
  };
  for (const Row& row : rows) {
    Script script(row.script);
    EXPECT_EQ(script.whole(), row.out) << row.script << "\n" << script.messages;
    EXPECT_EQ(script.messages, "") << row.script;
  }
}

TEST(Stap, ArraysHaveKeysSlicesAndOrders) {
  const std::string fill =
      "global a probe begin { a[1, \"x\"] = 10 a[2, \"y\"] = 30 a[3, \"x\"] = 20 } probe end ";
  const Row rows[] = {
      {"{ foreach ([n, s] in a) print(n) }", "123"},
      {"{ foreach ([n, s] in a-) print(n) }", "231"},
      {"{ foreach ([n-, s] in a limit 2) print(n) }", "32"},
      {"{ foreach (v = [n, s] in a+) print(v) }", "102030"},
      {"{ foreach ([n, s] in a[*, \"x\"]) print(n) }", "13"},
      {"{ print([1, \"x\"] in a) print([1, \"y\"] in a) print([*, \"y\"] in a) }", "101"},
      {"{ delete a[2, \"y\"] foreach ([n, s] in a) print(n) }", "13"},
      {"{ delete a[*, \"x\"] foreach ([n, s] in a) print(n) }", "2"},
      {"{ delete a foreach ([n, s] in a) print(n) print(a[1, \"x\"]) }", "0"},
  };
  for (const Row& row : rows) {
    Script script(fill + row.script);
    EXPECT_EQ(script.whole(), row.out) << row.script << "\n" << script.messages;
  }
  Script wraps("global a%[2] probe begin { a[1] = 1 a[2] = 2 a[3] = 3 foreach (k in a) print(k) }");
  EXPECT_EQ(wraps.whole(), "23");
  Script full("global a[2] probe begin { a[1] = 1 a[2] = 2 a[3] = 3 }");
  full.whole();
  EXPECT_EQ(full.messages,
            "ERROR: Array overflow, check size limit (2) near identifier 'a' at x.stp:1:45\n"
            "WARNING: Number of errors: 1, skipped probes: 0\n");
}

TEST(Stap, StatisticsAreExact) {
  const std::string fill =
      "global s, t probe begin { for (i = 1; i <= 4; i++) { s <<< i * 10; t[i % 2] <<< i } }"
      "probe never { print(@count(s)) foreach (k in t) print(k) } probe end ";
  const Row rows[] = {
      {"{ print(@count(s)) println(@sum(s)) print(@min(s)) print(@max(s)) print(@avg(s)) }",
       "4100\n104025"},
      {"{ print(@variance(s)) }", "166"},
      {"{ foreach (k in t @sum-) printf(\"%d:%d \", k, @sum(t[k])) }", "0:6 1:4 "},
      {"{ print(@count(t[9])) }", "0"},
      {"{ print(@hist_log(s)[68]) foreach (b in @hist_log(s)) printf(\" %d\", b) }", "1 68 69 70"},
      {"{ print(@hist_linear(s, 11, 40, 29)) }",
       "value |-------------------------------------------------- count\n"
       "  <11 |@                                                  1\n"
       "   11 |@@                                                 2\n"
       "   40 |@                                                  1\n\n"},
      {"{ print(@hist_linear(s, 0, 39, 13)) }",
       "value |-------------------------------------------------- count\n"
       "    0 |@                                                  1\n"
       "   13 |@                                                  1\n"
       "   26 |@                                                  1\n"
       "   39 |                                                   0\n"
       "  >39 |@                                                  1\n\n"},
      {"{ print(@hist_linear(s, 0, 100, 20)) }",
       "value |-------------------------------------------------- count\n"
       "    0 |@                                                  1\n"
       "   20 |@@                                                 2\n"
       "   40 |@                                                  1\n"
       "   60 |                                                   0\n"
       "   80 |                                                   0\n\n"},
  };
  for (const Row& row : rows) {
    Script script(fill + row.script);
    EXPECT_EQ(script.whole(), row.out) << row.script << "\n" << script.messages;
  }
  Script bounds(
      "global s probe begin { s <<< -1 s <<< 0 s <<< 99 s <<< 100 s <<< 101"
      " foreach (b in @hist_linear(s, 0, 100, 10)) printf(\"%d:%d \", b, @hist_linear(s, 0, 100, "
      "10)[b]) }");
  EXPECT_EQ(bounds.whole(), "0:1 1:1 10:1 11:1 12:1 ") << bounds.messages;
}

TEST(Stap, StringsAndTimesAreComputed) {
  const Row rows[] = {
      {"print(strlen(\"abc\")) print(substr(\"hello\", 1, 3)) print(stringat(\"a\", 0))", "3ell97"},
      {"print(isinstr(\"abc\", \"bc\")) print(strtol(\"ff\", 16)) print(strtol(\"12x\", 10))",
       "125512"},
      {"print(str_replace(\"a.b.c\", \".\", \"--\"))", "a--b--c"},
      {"print(tokenize(\"a b\", \" \")) print(tokenize(\"\", \" \")) print(tokenize(\"\", \" \"))",
       "ab"},
      {"print(ctime(0))", "Thu Jan  1 00:00:00 1970"},
      {"print(ctime(2147483647)) print(ctime(-2147483648))",
       "Tue Jan 19 03:14:07 2038Fri Dec 13 20:45:52 1901"},
      {"try { print(ctime(2147483648)) } catch (m) { print(substr(m, 0, 41)) }",
       "2147483648 is out of the range of ctime()"},
      {"print(errno_str(2)) print(errno_value(\"ENOENT\")) print(errno_str(3333))",
       "ENOENT2E#3333"},
      {"print(text_str(\"a\\n\")) print(string_quoted(\"q\\\"\"))", "a\\n\"q\\\"\""},
  };
  for (const Row& row : rows) {
    Script script(std::string("probe begin { ") + row.script + " }");
    EXPECT_EQ(script.whole(), row.out) << row.script << "\n" << script.messages;
  }
}

TEST(Stap, AllPointsThatAreWrongAreReported) {
  const Script script("probe syscall.opnat { } probe begn { } probe timer.foo(1) { }");
  EXPECT_NE(script.messages.find("x.stp:1:7"), std::string::npos) << script.messages;
  EXPECT_NE(script.messages.find("(similar: begin, "), std::string::npos) << script.messages;
  EXPECT_NE(script.messages.find("probe point mismatch (similar: s, hz, ms, ns, us)"),
            std::string::npos)
      << script.messages;
}

TEST(Stap, GlobalsThatNothingReadsArePrintedAtTheEnd) {
  Script script(
      "global x, s, a, t, u probe begin { x = 5 s = \"q\" a[\"k\", 1] = 2 a[\"l\", 2] = 7 t <<< 3 "
      "u = 1 print(u) }");
  EXPECT_EQ(script.whole(),
            "1x=5\ns=\"q\"\na[\"l\",2]=7\na[\"k\",1]=2\nt @count=1 @min=3 @max=3 @sum=3 @avg=3\n");
}

TEST(Stap, EventsRecordWhatTheirHandlersAsk) {
  Script script("probe syscall.* { printf(\"%s %d %s(%s)\\n\", execname(), pid(), name, argstr) }");
  script.begin();
  script.fire(1, {-100, 0x1000, 0101, 0644}).fire(1, {3, 0x9999, 0, 0}).fire(3, {5});
  EXPECT_EQ(script.end(),
            "bash 7 openat(AT_FDCWD, \"/etc\", O_WRONLY|O_CREAT, 0644)\n"
            "bash 7 openat(3, 0x9999, O_RDONLY)\n"
            "bash 7 close(5)\n");
  EXPECT_EQ(script.messages, "");
}

TEST(Stap, AnArgumentThatIsRecordedIsNotTakenForAnother) {
  Script script("probe syscall.openat { printf(\"%d %d\", user_mode(), $filename) }");
  EXPECT_EQ(script.begin().fire(1, {1, 2, 3, 4}).end(), "0 2");
}

TEST(Stap, CallsOfItsOwnAreLeftOutUnlessTheScriptNamesItself) {
  Script script("probe syscall.* { print(name) }");
  Script asks("probe syscall.* { print(pid() == stp_pid() ? \"own \" : \"other \") }");
  for (Script* const one : {&script, &asks}) {
    one->begin().fire(3, {5});
    one->environment.integers[ir::Builtin::kPid] = ::getpid();
    one->fire(3, {5});
  }
  EXPECT_EQ(script.end(), "close");
  EXPECT_EQ(asks.end(), "other own ");
}

TEST(Stap, ValuesOfProbesHaveTheTypesOfTheirArguments) {
  Script script(
      "probe syscall.openat { printf(\"%d %s %s %s\\n\", $dfd, user_string($filename),"
      " user_string(pointer_arg(2), \"?\"), filename) }"
      "probe syscall.openat.return { printf(\"%d %s %s\\n\", $return, retstr, name) }");
  script.begin();
  script.fire(1, {0xffffff9c, 0x1000, 0, 0}).fire(2, {-2});
  EXPECT_EQ(script.end(), "-100 /etc /etc \"/etc\"\n-2 -2 (ENOENT) openat\n");
}

TEST(Stap, AliasesPutTheirBodiesAroundTheProbes) {
  Script script(
      "probe one = begin { x = \"in \" } probe two += one { print(\" after\") }"
      "probe two { print(x) print(pp()) }");
  EXPECT_EQ(script.whole(), "in begin after") << script.messages;
}

TEST(Stap, WhatAnAliasComputesAndNothingReadsIsNotRecorded) {
  const Script script(
      "probe mine = syscall.openat { a = $dfd b = user_string($filename) c = $flags }"
      "probe mine { println(c) }");
  ASSERT_TRUE(script.program) << script.messages;
  EXPECT_EQ(script.program->clauses[0].layouts[0].fields.size(), 1U);
}

TEST(Stap, ConditionsAndArgumentsAreOfTheCommandLine) {
  Script script(
      "@define twice(x) %( (@x) * 2 %)"
      "probe begin { print(@twice($1 + 1)) print(@2) print($#)"
      " %( kernel_v >= \"5.15\" && arch == \"x86_64\" %? print(\" new\") %: print(\" old\") %) }",
      {"20", "word"});
  EXPECT_EQ(script.whole(), "42word2 new") << script.messages;
}

TEST(Stap, BehindASufficientPointThatIsThereNoneIsWanted) {
  const Script first("probe syscall.openat!, syscall.close { println(name) }");
  ASSERT_TRUE(first.program) << first.messages;
  ASSERT_EQ(first.program->clauses.size(), 1U);
  EXPECT_EQ(first.program->clauses[0].points[0].pattern.function, "openat");
  const Script second("probe syscall.nosuch!, syscall.close { println(name) }");
  ASSERT_TRUE(second.program) << second.messages;
  ASSERT_EQ(second.program->clauses.size(), 1U);
  EXPECT_EQ(second.program->clauses[0].points[0].pattern.function, "close");
  Script begins("probe syscall.openat!, begin { print(1) }");
  EXPECT_EQ(begins.whole(), "") << begins.messages;
}

TEST(Stap, AJiffyIsAsLongAsTheKernelSays) {
  Script script("probe timer.jiffies(5) { print(1) }");
  ASSERT_TRUE(script.program) << script.messages;
  script.begin();
  const std::int64_t first = script.session().next_expiry_ns();
  script.session().expire(first);
  EXPECT_EQ(script.session().next_expiry_ns(), first + 5 * 4'000'000);  // CONFIG_HZ=250
}

TEST(Stap, ConditionsKnowTheConfigurationOfTheKernel) {
  Script script(
      "probe begin { %( CONFIG_HZ == \"250\" %? print(1) %) %( CONFIG_KASAN == \"y\" %? print(2) %:"
      " print(3) %) %( CONFIG_KASAN == \"undefined\" %? print(4) %) }");
  EXPECT_EQ(script.whole(), "134") << script.messages;
}

TEST(Stap, AConfigurationThatIsNotKnownIsNotCompared) {
  const Script script("probe begin { %( CONFIG_HIDDEN == \"y\" %? print(1) %) }");
  EXPECT_NE(script.messages.find("configuration of this kernel is not known"), std::string::npos)
      << script.messages;
}

TEST(Stap, AnErrorEndsTheRunAndIsReported) {
  Script script(
      "probe begin { x = 0 print(1 / x) } probe end { print(\"end\") } probe error { "
      "print(\"error\") }");
  EXPECT_EQ(script.whole(), "error");
  EXPECT_EQ(script.messages,
            "ERROR: division by 0 near operator '/' at x.stp:1:29\nWARNING: Number of errors: 1, "
            "skipped probes: 0\n");
  EXPECT_EQ(script.session().exit_status(), 1);
  Script endless("probe begin { while (1) i++ }");
  endless.whole();
  EXPECT_EQ(endless.messages.substr(0, 32), "ERROR: MAXACTION exceeded near k");
}

// Firings of other threads come between an entry and its return.
TEST(Stap, ValuesOfTheEntryAreThereAtTheReturnOfTheSameCall) {
  Script script(
      "probe syscall.openat.return { printf(\"%d %s %d %d\\n\", $dfd, user_string($filename), "
      "@entry($flags + 1), $return) }");
  script.begin().fire(1, {-100, 0x1000, 7, 0});
  script.environment.integers[ir::Builtin::kTid] = 9;
  script.fire(2, {44}).fire(1, {5, 0x1000, 8, 0}).fire(2, {45, 45, 5, 0x1000, 8});
  script.environment.integers[ir::Builtin::kTid] = 8;
  EXPECT_EQ(script.fire(2, {46, 46, -100, 0x1000, 7}).end(), "5 /etc 9 45\n-100 /etc 8 46\n");
  EXPECT_EQ(script.messages, "");
}

// The result of a call, twice, and what the call was given.
TEST(Stap, TheReturnOfACallKnowsItsArguments) {
  Script script(
      "probe syscall.openat.return { printf(\"%d %s %s %d\\n\", $dfd, user_string($filename), "
      "flags_str, retval) n[$flags] += $return } global n");
  EXPECT_EQ(script.begin().fire(2, {46, 46, -100, 0x1000, 1}).end(),
            "-100 /etc O_WRONLY 46\nn[1]=46\n");
  EXPECT_EQ(script.messages, "");
}

TEST(Stap, WhatCouldNotBeReadIsAnErrorWhereItIsUsed) {
  Script script(
      "probe syscall.openat.return { if ($return > 0) println(user_string($filename)) else "
      "println(user_int($filename)) }");
  EXPECT_EQ(script.begin().fire(2, {-2, -2, 1, 0}).out, "0\n");
  script.fire(2, {3, 3, 1, 8});
  EXPECT_EQ(script.messages.substr(0, 30), "ERROR: user string copy fault ");
}

TEST(Stap, ProbesOfOnePointMayDifferInWhatIsDefined) {
  Script script(
      "probe syscall.* { if (@defined($filename)) printf(\"%d \", $flags) else printf(\"%d \", "
      "$fd) "
      "print(@defined($nothing) ? $nothing : @choose_defined($nothing, 1)) }");
  EXPECT_EQ(script.begin().fire(3, {6}).fire(1, {1, 2, 3, 4}).end(), "6 13 1");
  EXPECT_EQ(script.messages, "");
}

TEST(Stap, WhatIsWrongIsShownWhereItIs) {
  const Row rows[] = {
      {"probe begin { foo() }",
       "semantic error: unresolved function foo (similar: log, pn, pp, cpu, error): identifier "
       "'foo' at x.stp:1:15\n"
       "        source: probe begin { foo() }\n                              ^\n\n"},
      {"probe begin { if (1 { } }",
       "parse error: expected ')'\n        saw: operator '{' at x.stp:1:21\n"
       "     source: probe begin { if (1 { } }\n                                 ^\n\n"},
      {"probe begin { x = \"a\" + 1 }",
       "semantic error: type mismatch: expected long but found string: string 'a' at x.stp:1:19\n"
       "        source: probe begin { x = \"a\" + 1 }\n                                  ^\n\n"},
      {"probe begin { a[1] = 2 }",
       "semantic error: unresolved arity-1 global array a, missing global declaration?: identifier "
       "'a' at x.stp:1:15\n"
       "        source: probe begin { a[1] = 2 }\n                              ^\n\n"},
      {"probe foo.bar { }",
       "semantic error: while resolving probe point: identifier 'foo' at x.stp:1:7\n"
       "        source: probe foo.bar { }\n                      ^\n\n"
       "semantic error: probe point mismatch (similar: end, error, perf, begin, input): identifier "
       "'foo' at x.stp:1:7\n"
       "        source: probe foo.bar { }\n                      ^\n\n"},
      {"probe syscall.nope { }",
       "semantic error: while resolving probe point: identifier 'syscall' at x.stp:1:7\n"
       "        source: probe syscall.nope { }\n                      ^\n\n"
       "semantic error: probe point mismatch (similar: close, openat): identifier 'nope' at "
       "x.stp:1:15\n"
       "        source: probe syscall.nope { }\n                              ^\n\n"},
      {"probe begin { printf(\"%d\") }",
       "semantic error: Wrong number of args to formatted print operator: identifier 'printf' at "
       "x.stp:1:15\n        source: probe begin { printf(\"%d\") }\n                              "
       "^\nhint: too few arguments for the format: 0 instead of 1\n\n"},
      {"probe begin { s <<< 1 }",
       "semantic error: stat locals not supported, missing global declaration? : "
       "identifier 's' at x.stp:1:15\n        source: probe begin { s <<< 1 }\n                    "
       "          ^\n\n"},
      {"probe begin { f() } function f() %{ x %}",
       "parse error: embedded code in unprivileged script; need stap -g\n"
       "        saw: embedded-code at x.stp:1:34\n"
       "     source: probe begin { f() } function f() %{ x %}\n"
       "                                              ^\n\n"},
  };
  for (const Row& row : rows) {
    Script script(row.script);
    EXPECT_EQ(script.messages, row.out) << row.script;
    EXPECT_FALSE(script.program);
  }
}

TEST(Stap, RecursionEndsBeforeTheStackDoes) {
  Script script(
      "function f(n) { return f(n + 1) + 1 } probe begin { try { f(0) } catch (m) { print(m) } }");
  EXPECT_EQ(script.whole().substr(0, 19), "MAXNESTING exceeded");
  std::string chain = "probe begin { print(1";
  for (int i = 0; i < 500; ++i) chain += " + 1";
  EXPECT_EQ(Script(chain + ") }").whole(), "501");
  for (int i = 0; i < 100000; ++i) chain += " + 1";
  EXPECT_TRUE(Script(chain + ") }").messages.starts_with("parse error: nested too deeply"));
}

// Whatever a script has become, it runs or is refused.
TEST(Stap, DamagedScriptsRunOrAreRefused) {
  const std::string whole =
      "@define two %( 2 %) global a, s, n = 1 probe mine = syscall.openat { x = $dfd }\n"
      "function f:long(x:long, y) { foreach ([k-, l] in a limit 3) { if (k > x) break; n += k } "
      "return n + strlen(y) }\n"
      "function f(x) { try { return 1 / x } catch (m) { log(m) } }\n"
      "probe begin, mine, syscall.*.return ? { for (i = 0; i < 3; i++) { a[i, \"k\"] = i s <<< i "
      "}\n"
      "printf(\"%5d %-3d|%x %c\\n\", @count(s), f(3), f(2, \"z\"), @hist_log(s)[3]) "
      "print(@hist_linear(s, 0, 9, 2)) delete a[*, \"k\"] while (n-- > 0) { if ([1, *] in a) "
      "continue } }\n"
      "probe syscall.openat { text = text . user_string($filename, \"?\") . argstr print(text) }\n"
      "probe timer.ms(10).randomize(2) if (n > 1) { print(ctime(0)) exit() } "
      "probe end { print(%( arch == \"x\" %? 1 %: @two %)) }";
  Script sound(whole);
  EXPECT_EQ(sound.messages, "");
  std::uint64_t random = 88172645463325252ULL;
  const auto next = [&random](std::size_t below) {
    random ^= random << 13;
    random ^= random >> 7;
    random ^= random << 17;
    return static_cast<std::size_t>(random % below);
  };
  std::size_t ran = 0;
  for (int i = 0; i < 4000; ++i) {
    std::string text = whole;
    for (std::size_t changes = 1 + next(3); changes > 0; --changes) {
      const std::size_t at = next(text.size()), length = next(12);
      switch (next(4)) {
        case 0:
          text.erase(at, length);
          break;
        case 1:
          text.insert(at, text.substr(next(text.size()), length));
          break;
        case 2:
          text[at] = static_cast<char>(next(256));
          break;
        default:
          std::swap(text[at], text[next(text.size())]);
          break;
      }
    }
    Script script(text);
    EXPECT_EQ(script.messages.empty() && !script.program, false) << text;
    if (!script.program) continue;
    ++ran;
    script.begin();
    script.fire(1, {1, 0x1000, 0, 0}).fire(2, {-2}).fire(3, {1});
    script.session().expire(script.session().next_expiry_ns());
    script.end();
  }
  EXPECT_GT(ran, 50U);
}

TEST(Stap, BytesOfMemoryAreThoseOfTheFiring) {
  Script script(
      "probe syscall.openat { printf(\"%#.4M|%.3m|%#6.1M\\n\", $filename, $filename, $filename + "
      "1) "
      "}");
  script.begin().fire(1, {1, 0x1000, 0, 0});
  EXPECT_EQ(script.end(), "2f657463|/et|    65\n") << script.messages;
}

TEST(Stap, OptionalPointsMayBeMissing) {
  Script script("probe syscall.nope ?, begin { print(1) } probe foo.bar ? { }");
  EXPECT_EQ(script.whole(), "1") << script.messages;
}

TEST(Stap, TimersExpireInTheirPeriods) {
  Script script("probe timer.s(1) { print(\"s\") } probe timer.ms(100) { print(\"m\") }");
  script.begin();
  const std::int64_t first = script.session().next_expiry_ns();
  constexpr std::int64_t kMs = 1'000'000;
  script.session().expire(first - 1);
  EXPECT_EQ(script.out, "");
  script.session().expire(first);
  EXPECT_EQ(script.out, "m");
  EXPECT_EQ(script.session().next_expiry_ns(), first + 100 * kMs);
  script.session().expire(first + 950 * kMs);
  EXPECT_EQ(script.out, "msm");
}

}  // namespace
}  // namespace dt::stap

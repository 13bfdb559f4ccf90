// Options that a script declares.

#include "d/script_usage.h"

#include <gtest/gtest.h>

#include "d/syntax/parse_test.h"
#include "d/syntax/script_declaration.h"

namespace dt::d {
namespace {

using front::ScriptOption;
using front::ScriptUsage;
using front::ScriptValue;

std::string value(ScriptOption::Type type, std::string_view given) {
  ScriptOption option;
  option.type = type;
  const Result<ScriptValue> value = script_value(option, given);
  return value.ok() ? value->text : value.error().text;
}

TEST(ScriptOption, ValuesAreOfTheirType) {
  using Type = ScriptOption::Type;
  const struct {
    Type type;
    std::string given, want;
  } cases[] = {
      {Type::kInt, "-12", "-12"},
      {Type::kInt, "0x10", "0x10"},
      {Type::kInt, "", "0"},
      {Type::kInt, "12x", "'12x' is not a number"},
      {Type::kString, "", ""},
      {Type::kString, "a \"b", "a \"b"},
      {Type::kBool, "1", "1"},
      {Type::kBool, "yes", "'yes' is not 0 or 1"},
      {Type::kTime, "2", "2000000000"},
      {Type::kTime, "250ms", "250000000"},
      {Type::kTime, "3H", "10800000000000"},
      {Type::kTime, "9999999999999d", "'9999999999999d' is not a time, such as 5, 100ms or 2m"},
      {Type::kTime, "5 s", "'5 s' is not a time, such as 5, 100ms or 2m"},
      {Type::kSize, "64k", "65536"},
      {Type::kSize, "1x", "'1x' is not a size, such as 512, 64k or 4m"},
      {Type::kProcess, "4711", "4711"},
      {Type::kProcess, " 4711", "4711"},
      {Type::kProcess, "", "0"},
      {Type::kProcess, "$target", "$target"},
      {Type::kProcess, "0", "'0' is not the number of a process"},
      {Type::kProcess, "-1", "'-1' is not the number of a process"},
      {Type::kProcess, "+1", "'+1' is not the number of a process"},
      {Type::kProcess, "4294967297", "'4294967297' is not the number of a process"},
      {Type::kProcess, "12 13", "'12 13' is not the number of a process"},
      {Type::kUser, "0", "0"},
      {Type::kUser, "nobodyelse", "there is no user 'nobodyelse'"},
      {Type::kSignal, "9", "9"},
      {Type::kSignal, "SIGKILL", "SIGKILL"},
      {Type::kSignal, "kill", "SIGKILL"},
      {Type::kSignal, "", "0"},
      {Type::kSignal, "SIG", "'SIG' is not a signal, such as 9 or SIGKILL"},
      {Type::kSignal, "KILL; x", "'KILL; x' is not a signal, such as 9 or SIGKILL"},
      {Type::kError, "2", "2"},
      {Type::kError, "ENOENT", "ENOENT"},
      {Type::kError, "enoent", "ENOENT"},
      {Type::kError, "NOENT", "'NOENT' is not an error, such as 2 or ENOENT"},
      {Type::kError, "ENOENTT",
       "'ENOENTT' is not an error, such as 2 or ENOENT; did you mean ENOENT?"},
      {Type::kError, "EWOULDBLOCK", "EWOULDBLOCK"},
      {Type::kError, "9999", "'9999' is not an error, such as 2 or ENOENT"},
      {Type::kError, "-2", "'-2' is not an error, such as 2 or ENOENT"},
      {Type::kSignal, "SIGTREM",
       "'SIGTREM' is not a signal, such as 9 or SIGKILL; did you mean SIGTERM?"},
      {Type::kSignal, "65", "'65' is not a signal, such as 9 or SIGKILL"},
      {Type::kSignal, "-9", "'-9' is not a signal, such as 9 or SIGKILL"},
      {Type::kUser, "-1", "-1"},
      {Type::kUser, "-5", "there is no user '-5'"},
      {Type::kUser, "4294967296", "there is no user '4294967296'"},
      {Type::kUint, "", "0"},
      {Type::kUint, "0", "0"},
      {Type::kUint, "0x10", "0x10"},
      {Type::kUint, "-5", "'-5' is not a number of at least 0"},
      {Type::kUint, "5x", "'5x' is not a number of at least 0"},
      {Type::kCount, "", "0"},
      {Type::kCount, "1", "1"},
      {Type::kCount, "0", "'0' is not a number of at least 1"},
      {Type::kPeriod, "250ms", "250000000"},
      {Type::kPeriod, "0", "'0' is not a time above 0, such as 5, 100ms or 2m"},
      {Type::kPeriod, "0ms", "'0ms' is not a time above 0, such as 5, 100ms or 2m"},
      {Type::kTime, "0", "0"},
      {Type::kPort, "65535", "65535"},
      {Type::kPort, "65536", "'65536' is not a port, 1 to 65535"},
      {Type::kPort, "http", "'http' is not a port, 1 to 65535"},
      {Type::kDisk, "", ""},
      {Type::kService, "nginx.service", "nginx.service"},
  };
  for (const auto& one : cases) EXPECT_EQ(value(one.type, one.given), one.want) << one.given;
}

TEST(ScriptOption, DeclarationsHaveALetterANameAndAType) {
  const struct {
    std::string rest;
    bool is_flag;
    std::string want;
  } cases[] = {
      {"p process int=7 only this one", true, ""},
      {"interval time=10ms how often", false, ""},
      {"n name string=\"two words\" a name", true, ""},
      {"pp process int x", true, "a flag has one letter, not 'pp'"},
      {"h help bool x", true, "-h shows how the script is used"},
      {"p 1st int x", true, "a name must follow, not '1st'"},
      {"p process float x", true,
       "the type of process must be int, string, bool, time, size, process, user, signal, error, "
       "uint, count, port, period, disk, device, filesystem, service or terminal, not 'float'"},
      {"p process int=x what", true, "'x' is not a number"},
      {"v verbose bool=1 what", true, "a flag of type bool is 0 unless it is given"},
      {"verbose bool what", false,
       "only a flag can be of type bool: #pragma D flag LETTER NAME bool HELP"},
  };
  for (const auto& one : cases) {
    const Result<ScriptOption> option = parse_script_option(one.rest, one.is_flag);
    EXPECT_EQ(option.ok() ? "" : option.error().text, one.want) << one.rest;
  }
  const Result<ScriptOption> named =
      parse_script_option("n name string=\"two words\" a name", true);
  ASSERT_TRUE(named.ok());
  EXPECT_EQ(named->fallback, "two words");
  EXPECT_EQ(named->help, "a name");
}

std::string tokens(const std::string& text, std::vector<std::string> args = {"t.d"}) {
  ParseRun run(text, front::Input::Spec::kProgram, std::move(args));
  return run.tokens();
}

TEST(ScriptOption, TakesThePlaceOfItsName) {
  const std::string text =
      "#pragma D flag n name string=cat one\n"
      "#pragma D flag c count int=3 two\n"
      "#pragma D argument interval time=1s three\n"
      "tick-$interval{$name;$$count;$count}";
  const std::string all = tokens(text);
  EXPECT_NE(all.find("probe tick-1000000000ns\n"), std::string::npos) << all;
  EXPECT_NE(all.find("string \"cat\""), std::string::npos) << all;
  EXPECT_NE(all.find("string \"3\""), std::string::npos) << all;
  EXPECT_NE(all.find("integer 3"), std::string::npos) << all;
  EXPECT_NE(tokens(text, {"t.d", "20ms"}).find("probe tick-20000000ns\n"), std::string::npos);
}

TEST(ScriptOption, ErrorsPointToTheDeclaration) {
  const struct {
    std::string text, want;
  } cases[] = {
      {"#pragma D flag p pid int what\nBEGIN {}", "failed to set pid: $pid has a meaning already"},
      {"#pragma D flag a x int what\n#pragma D flag b x int what\nBEGIN {}",
       "failed to set x: x is declared twice"},
      {"#pragma D flag a\nBEGIN {}", "malformed #pragma flag: a name must follow, not ''"},
  };
  for (const auto& one : cases) {
    ParseRun run(one.text);
    const std::string tree = run.tree();
    EXPECT_NE(tree.find(one.want), std::string::npos) << tree;
  }
}

TEST(ScriptOption, AValueThatIsRefusedIsOneError) {
  ParseRun run(
      "#pragma D argument least time=1s what\n"
      "BEGIN /timestamp > $least/ { trace($least); }",
      front::Input::Spec::kProgram, {"t.d", "bogus"});
  const std::string errors = run.tree();
  EXPECT_NE(errors.find("failed to set least: 'bogus' is not a time"), std::string::npos) << errors;
  EXPECT_EQ(errors.find("is not defined"), std::string::npos) << errors;
}

TEST(ScriptUsage, IsReadWithoutCompiling) {
  const ScriptUsage usage = read_script_usage(
      "#!/usr/sbin/dtrace -s\n"
      "/*\n * What it\n * prints. */\n"
      "#pragma D summary what it is\n"
      "#pragma D flag x failed bool only \\\n  failures\n"
      "/* #pragma D flag y no bool in a comment */\n"
      "#pragma D argument interval time=1s often\n"
      "#pragma D example t -x -- what failed\n"
      "BEGIN { printf(\"$9 #pragma\"); trace($2); /* $7 */ }\n");
  EXPECT_EQ(usage.summary, "what it is");
  EXPECT_EQ(usage.comment, "What it prints.");
  ASSERT_EQ(usage.flags.size(), 1U);
  EXPECT_EQ(usage.flags[0].help, "only failures");
  ASSERT_EQ(usage.arguments.size(), 1U);
  EXPECT_EQ(usage.arguments[0].fallback, "1s");
  ASSERT_EQ(usage.examples.size(), 1U);
  EXPECT_EQ(usage.examples[0].command, "t -x");
  EXPECT_EQ(usage.examples[0].help, "what failed");
  EXPECT_EQ(usage.positional, 2U);
  EXPECT_FALSE(usage.has_providers);
  EXPECT_TRUE(read_script_usage("provider p { probe a(); };").has_providers);
  EXPECT_FALSE(read_script_usage("BEGIN { trace(provider ); }").has_providers);
}

TEST(ScriptUsage, KnowsWhetherAScriptIsAboutAProcess) {
  EXPECT_TRUE(read_script_usage("syscall::read:entry /pid == $target/ { n++; }").uses_target);
  EXPECT_TRUE(read_script_usage("pid$target:::entry").uses_target);
  EXPECT_FALSE(
      read_script_usage("/* $target */ BEGIN { trace(\"$target\"); n = $targets; }").uses_target);
}

}  // namespace
TEST(ScriptUsage, OfWhatIsNoTextIsEmpty) {
  const ScriptUsage usage = read_script_usage(std::string_view("$7 $target\0", 11));
  EXPECT_EQ(usage.positional, 0U);
  EXPECT_FALSE(usage.uses_target);
}

}  // namespace dt::d

#include "cli/command_line.h"

#include <gtest/gtest.h>

namespace dt::cli {
namespace {

struct Parsed {
  CommandLine line;
  Refusal refusal;
  bool ok = false;
};

Parsed parse(std::vector<std::string> words) {
  words.insert(words.begin(), "dtrace");
  std::vector<char*> argv;
  for (std::string& word : words) {
    argv.push_back(word.data());
  }
  Parsed parsed;
  parsed.ok =
      parse_command_line(static_cast<int>(argv.size()), argv.data(), parsed.line, parsed.refusal);
  return parsed;
}

TEST(CommandLine, LettersClusterAndArgumentsFollow) {
  const Parsed p = parse({"-qw", "-n", "BEGIN", "-xbufsize=1m", "-b2m", "one", "-Z", "two"});
  ASSERT_TRUE(p.ok) << p.refusal.text;
  EXPECT_TRUE(p.line.options.flag("quiet"));
  EXPECT_TRUE(p.line.options.flag("destructive"));
  EXPECT_TRUE(p.line.options.flag("zdefs"));
  EXPECT_EQ(p.line.options.get("bufsize"), "2097152");
  ASSERT_EQ(p.line.programs.size(), 1U);
  EXPECT_EQ(p.line.programs[0].text, "BEGIN");
  EXPECT_EQ(p.line.macro_args, (std::vector<std::string>{"one", "two"}));
}

TEST(CommandLine, AnInterpreterLineOfOneArgumentIsSplit) {
  const Parsed p = parse({"-qs -x dynvarsize=64m", "/path/x.d", "arg"});
  ASSERT_TRUE(p.ok) << p.refusal.text;
  EXPECT_TRUE(p.line.options.flag("quiet"));
  EXPECT_EQ(p.line.options.get("dynvarsize"), "67108864");
  ASSERT_EQ(p.line.programs.size(), 1U);
  EXPECT_TRUE(is_script(p.line.programs[0]));
  EXPECT_EQ(p.line.programs[0].text, "/path/x.d");
  EXPECT_EQ(p.line.macro_args, (std::vector<std::string>{"arg"}));
}

TEST(CommandLine, AProgramWithBlanksIsNotAnInterpreterLine) {
  const Parsed p = parse({"-n BEGIN { exit(0); }", "x"});
  ASSERT_TRUE(p.ok) << p.refusal.text;
  EXPECT_EQ(p.line.programs[0].text, " BEGIN { exit(0); }");
}

TEST(CommandLine, AfterTwoDashesEverythingIsAnArgument) {
  const Parsed p = parse({"-n", "BEGIN", "--", "-q", "-n"});
  ASSERT_TRUE(p.ok);
  EXPECT_EQ(p.line.macro_args, (std::vector<std::string>{"-q", "-n"}));
}

TEST(CommandLine, BadUseIsRefusedWithItsStatus) {
  struct Case {
    std::vector<std::string> words;
    int status;
    const char* text;
  };
  const Case cases[] = {
      {{"-y"}, kUsage, "invalid option -- 'y'"},
      {{"-n"}, kUsage, "option requires an argument -- 'n'"},
      {{"--wombat"}, kUsage, "unrecognized option '--wombat'"},
      {{"-lV"}, kUsage, "only one of the [-AGhlV] options can be specified at a time"},
      {{"-p", "12x"}, kError, "invalid pid: 12x"},
      {{"-x", "nosuch"}, kError, "failed to set -x nosuch: Invalid option name"},
      {{"-x", "quiet=maybe"}, kError, "failed to set -x quiet: Invalid value for specified option"},
      {{"-r", "a.dtr", "-r", "b.dtr"},
       kUsage,
       "only one recording can be replayed: -r is given twice"},
      {{"-b", "much"}, kError, "failed to set -b much: Invalid value for specified option"},
  };
  for (const Case& each : cases) {
    const Parsed p = parse(each.words);
    EXPECT_FALSE(p.ok);
    EXPECT_EQ(p.refusal.status, each.status) << each.text;
    EXPECT_EQ(p.refusal.text, each.text);
  }
}

TEST(CommandLine, WordsThatAreRefusedSayWhatIsMeant) {
  const std::pair<std::vector<std::string>, const char*> cases[] = {
      {{"-n"}, "-n takes a program: -n 'syscall:::entry { @[execname] = count(); }'"},
      {{"-q", "-s"}, "-s takes a file, or the name of a tool, which --tools lists: -s opensnoop"},
      {{"-n", "BEGIN", "-x"}, "-x takes an option: -x bufsize=4m"},
      {{"--quiet"}, "did you mean -q?"},
      {{"--qiet"}, "did you mean -q?"},
      {{"--output=x"}, "did you mean -o FILE?"},
      {{"--verison"}, "did you mean --version?"},
      {{"--wombat"}, ""},
  };
  for (const auto& [words, hint] : cases) {
    const Parsed p = parse(words);
    EXPECT_FALSE(p.ok);
    EXPECT_EQ(p.refusal.hint, hint) << words.back();
  }
  for (const char letter : std::string_view("bcDIUfimnopPrsxLX")) {
    EXPECT_FALSE(parse({std::string("-") + letter}).refusal.hint.empty()) << letter;
  }
}

TEST(CommandLine, AnOutputOfADashIsStandardOutput) {
  EXPECT_EQ(parse({"-n", "BEGIN", "-o", "-"}).line.output, "");
  EXPECT_EQ(parse({"-r", "x.dtr", "-o", "-"}).line.output, "");
  EXPECT_EQ(parse({"-n", "BEGIN", "-o", "./-"}).line.output, "./-");
  EXPECT_EQ(parse({"-h", "-s", "x.d", "-o", "-"}).line.output, "/dev/stdout");
  EXPECT_EQ(parse({"-G", "-s", "x.d", "-o", "-"}).line.output, "/dev/stdout");
}

TEST(CommandLine, BuildLinesOfProgramsWithProbesAreTaken) {
  const Parsed header = parse({"-C", "-h", "-s", "src/probes.d", "-o", "probes.h"});
  ASSERT_TRUE(header.ok) << header.refusal.text;
  EXPECT_EQ(header.line.mode, Mode::kHeader);
  EXPECT_EQ(header.line.output, "probes.h");
  EXPECT_EQ(parse({"-h"}).line.mode, Mode::kHelp);
  const Parsed object = parse({"-xnolibs", "-G", "-64", "-Xa", "-DX=1", "-I.", "-o", "probes.o",
                               "-s", "probes.d", "a.o", "b.o"});
  ASSERT_TRUE(object.ok) << object.refusal.text;
  EXPECT_EQ(object.line.mode, Mode::kObject);
  EXPECT_EQ(object.line.macro_args, (std::vector<std::string>{"a.o", "b.o"}));
  const Parsed lazy = parse({"-G", "-xlazyload", "-s", "probes.d"});
  EXPECT_TRUE(lazy.ok) << lazy.refusal.text;
  const Parsed narrow = parse({"-32", "-G", "-s", "probes.d"});
  EXPECT_FALSE(narrow.ok);
  EXPECT_EQ(narrow.refusal.status, kError);
  EXPECT_EQ(narrow.refusal.text, "option -32 is not supported: programs here have 64 bits");
  EXPECT_EQ(parse({"-G"}).refusal.text, "option -G needs a script with providers: -s provider.d");
  EXPECT_EQ(parse({"-G", "-h", "-s", "x.d"}).refusal.text,
            "only one of the [-AGhlV] options can be specified at a time");
}

}  // namespace
}  // namespace dt::cli

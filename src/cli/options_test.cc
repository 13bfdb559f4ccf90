#include "cli/options.h"

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

TEST(Options, SizesTakeSuffixes) {
  const std::pair<const char*, std::uint64_t> cases[] = {
      {"0", 0},           {"64", 64},         {"4k", 4096},    {"4M", 4ULL << 20},
      {"2g", 2ULL << 30}, {"1t", 1ULL << 40}, {"0x10k", 16384}};
  for (const auto& [text, bytes] : cases) {
    ASSERT_TRUE(parse_size(text).ok()) << text;
    EXPECT_EQ(*parse_size(text), bytes) << text;
  }
  for (const char* text : {"", "k", "4q", "-1", "99999999999t", "1 k"}) {
    EXPECT_FALSE(parse_size(text).ok()) << text;
  }
}

TEST(Options, RatesAreIntervalsOrHertz) {
  const std::pair<const char*, std::uint64_t> cases[] = {
      {"1", 1'000'000'000},         {"4hz", 250'000'000},
      {"10ms", 10'000'000},         {"5us", 5000},
      {"3sec", 3'000'000'000},      {"1m", 60'000'000'000},
      {"2hour", 7'200'000'000'000}, {"1d", 86'400'000'000'000}};
  for (const auto& [text, ns] : cases) {
    ASSERT_TRUE(parse_rate_ns(text).ok()) << text;
    EXPECT_EQ(*parse_rate_ns(text), ns) << text;
  }
  for (const char* text : {"", "0", "fast", "5parsec", "99999999999999d"}) {
    EXPECT_FALSE(parse_rate_ns(text).ok()) << text;
  }
}

TEST(Options, EveryUsedOptionCanBeSet) {
  struct Case {
    const char* name;
    const char* value;
  };
  const Case used[] = {
#define DT_OPTION(name, when, type, support) \
  {std::string_view(#support) == "kUsed" ? #name : "", #type},
#include "cli/options.def"
#undef DT_OPTION
  };
  for (const Case& each : used) {
    if (*each.name == '\0') {
      continue;
    }
    const std::string_view type = each.value;
    const char* value = std::string_view(each.name) == "machine"     ? "reference"
                        : std::string_view(each.name) == "bufresize" ? "auto"
                        : std::string_view(each.name) == "encoding"  ? "utf8"
                        : std::string_view(each.name) == "oformat"   ? "jsonl"
                        : std::string_view(each.name) == "amin"      ? "Stable/Stable/Common"
                        : std::string_view(each.name) == "version"   ? "1.5"
                        : std::string_view(each.name) == "evaltime"  ? "exec"
                        : std::string_view(each.name) == "stdc"      ? "a"
                        : type == "kFlag"                            ? ""
                        : type == "kRate"                            ? "10hz"
                        : type == "kText"                            ? "switch"
                                                                     : "64";
    Options options;
    EXPECT_TRUE(set_option(options, each.name, value).ok()) << each.name;
  }
}

TEST(Options, OnlyDynamicOnesChangeWhileTracing) {
  Options options;
  EXPECT_TRUE(set_dynamic_option(options, "quiet", "").ok());
  EXPECT_TRUE(options.quiet);
  EXPECT_EQ(set_dynamic_option(options, "bufsize", "1m").error().text,
            "Operation illegal when tracing is active");
  EXPECT_EQ(set_dynamic_option(options, "wombats", "").error().text, "Invalid option name");
}

TEST(Options, WhatIsKnownAndNotSupportedIsRefusedByName) {
  Options options;
  const Status ring = set_option(options, "bufpolicy", "ring");
  ASSERT_FALSE(ring.ok());
  EXPECT_EQ(ring.error().text, "buffer policy 'ring' is not supported; 'switch' is");
  const Status zone = set_option(options, "zone", "web");
  ASSERT_FALSE(zone.ok());
  EXPECT_EQ(zone.error().text, "this option is not supported");
  const Status typo = set_option(options, "bufsiz", "1m");
  ASSERT_FALSE(typo.ok());
  EXPECT_EQ(typo.error().text, "Invalid option name");
  EXPECT_EQ(typo.error().remedy, "did you mean 'bufsize'?");
}

TEST(CommandLine, LettersClusterAndArgumentsFollow) {
  const Parsed p = parse({"-qw", "-n", "BEGIN", "-xbufsize=1m", "-b2m", "one", "-Z", "two"});
  ASSERT_TRUE(p.ok) << p.refusal.text;
  EXPECT_TRUE(p.line.options.quiet);
  EXPECT_TRUE(p.line.options.destructive);
  EXPECT_TRUE(p.line.options.zdefs);
  EXPECT_EQ(p.line.options.bufsize, 2ULL << 20);
  ASSERT_EQ(p.line.programs.size(), 1U);
  EXPECT_EQ(p.line.programs[0].text, "BEGIN");
  EXPECT_EQ(p.line.macro_args, (std::vector<std::string>{"one", "two"}));
}

TEST(CommandLine, AnInterpreterLineOfOneArgumentIsSplit) {
  const Parsed p = parse({"-qs -x dynvarsize=64m", "/path/x.d", "arg"});
  ASSERT_TRUE(p.ok) << p.refusal.text;
  EXPECT_TRUE(p.line.options.quiet);
  EXPECT_EQ(p.line.options.dynvarsize, 64ULL << 20);
  ASSERT_EQ(p.line.programs.size(), 1U);
  EXPECT_TRUE(p.line.programs[0].is_file);
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
      {{"-b", "much"}, kError, "failed to set -b much: Invalid value for specified option"},
  };
  for (const Case& each : cases) {
    const Parsed p = parse(each.words);
    EXPECT_FALSE(p.ok);
    EXPECT_EQ(p.refusal.status, each.status) << each.text;
    EXPECT_EQ(p.refusal.text, each.text);
  }
}

}  // namespace
}  // namespace dt::cli

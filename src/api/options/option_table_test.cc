#include "api/options/option_table.h"

#include <gtest/gtest.h>

#include "api/options/option_kinds.h"
#include "api/options/time_range.h"

namespace dt::api {
namespace {

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

TEST(Options, AStageIsDumpedIfTheListHasItsWholeName) {
  Options options;
  EXPECT_FALSE(dumps(options, "ir"));
  EXPECT_FALSE(dumps(options, ""));
  options.dump = "ir-opt,bpf,views";
  for (const char* stage : {"ir-opt", "bpf", "views"}) EXPECT_TRUE(dumps(options, stage)) << stage;
  for (const char* stage : {"ir", "opt", "view", "raw", "bpf,views", ""}) {
    EXPECT_FALSE(dumps(options, stage)) << stage;
  }
}

TEST(Options, NumbersAreReadAsCReadsThem) {
  EXPECT_EQ(*parse_number("010"), 8U);
  EXPECT_EQ(*parse_number(" 12"), 12U);
  EXPECT_EQ(*parse_number("+0x1f"), 31U);
  EXPECT_EQ(*parse_size("010k"), 8192U);
  for (const char* text : {"", "08", "-1", "1 ", "0x", "- 1"}) {
    EXPECT_FALSE(parse_number(text).ok()) << text;
  }
}

TEST(Options, FlagsTakeWordsInAnyCaseAndNumbers) {
  for (const char* text : {"", "YES", "on", "Enabled", "enable", "SET", "True", "1", "4"}) {
    ASSERT_TRUE(parse_flag(text).ok()) << text;
    EXPECT_TRUE(*parse_flag(text)) << text;
  }
  for (const char* text : {"NO", "off", "Disabled", "disable", "UNSET", "False", "0"}) {
    ASSERT_TRUE(parse_flag(text).ok()) << text;
    EXPECT_FALSE(*parse_flag(text)) << text;
  }
  for (const char* text : {"very", "-1", "yess"}) {
    EXPECT_FALSE(parse_flag(text).ok()) << text;
  }
}

TEST(Options, SizesAreTakenAsLargeAsTheyCome) {
  Options options;
  for (const char* name : {"bufsize", "aggsize", "dynvarsize", "specsize"}) {
    for (const char* value : {"1", "16", "50", "2g", "1t", "100t", "0xffffffffffffffff"}) {
      EXPECT_TRUE(set_option(options, name, value).ok()) << name << value;
      EXPECT_EQ(option_text(options, name), std::to_string(*parse_size(value)));
    }
  }
  EXPECT_TRUE(options.lowered.empty());
  EXPECT_FALSE(set_option(options, "bufsize", "0").ok());
  EXPECT_TRUE(set_option(options, "strsize", "6").ok());
  EXPECT_EQ(options.strsize, 6U);
}

TEST(Options, WhatIsTooLargeIsLoweredAndWhatIsTooSmallRaised) {
  Options options;
  EXPECT_TRUE(set_option(options, "strsize", "1t").ok());
  EXPECT_TRUE(set_option(options, "strsize", "1m").ok());
  EXPECT_TRUE(set_option(options, "ustackframes", "1000").ok());
  EXPECT_TRUE(set_option(options, "scratchsize", "1").ok());
  ASSERT_EQ(options.lowered.size(), 2U);
  EXPECT_EQ(options.lowered[0].name, "strsize");
  EXPECT_EQ(options.lowered[0].asked, 1U << 20);
  EXPECT_EQ(options.lowered[0].used, 64U << 10);
  EXPECT_EQ(options.strsize, 64U << 10);
  EXPECT_EQ(options.ustackframes, 127U);
  EXPECT_EQ(options.scratchsize, 8U);
  EXPECT_TRUE(set_option(options, "strsize", "64").ok());
  EXPECT_EQ(options.lowered.size(), 1U);
  EXPECT_TRUE(set_option(options, "nspec", "0").ok());
}

TEST(Options, RatesAreIntervalsOrHertz) {
  const std::pair<const char*, std::uint64_t> cases[] = {{"1", 1'000'000'000},
                                                         {"4hz", 250'000'000},
                                                         {"10ms", 10'000'000},
                                                         {"5us", 5000},
                                                         {"3sec", 3'000'000'000},
                                                         {"1m", 60'000'000'000},
                                                         {"4Hz", 250'000'000},
                                                         {"2SEC", 2'000'000'000},
                                                         {"2hour", 7'200'000'000'000},
                                                         {"1d", 86'400'000'000'000},
                                                         {"0", 0},
                                                         {"0ms", 0},
                                                         {"2000000000hz", 0}};
  for (const auto& [text, ns] : cases) {
    ASSERT_TRUE(parse_rate_ns(text).ok()) << text;
    EXPECT_EQ(*parse_rate_ns(text), ns) << text;
  }
  for (const char* text : {"", "fast", "5parsec", "99999999999999d"}) {
    EXPECT_FALSE(parse_rate_ns(text).ok()) << text;
  }
}

TEST(Options, ARangeIsATimeSinceTheStartOfTheDayOrSince1970) {
  constexpr std::int64_t kStart = 1'700'000'000'000'000'000;  // 22:13:20 UTC
  const auto of = [](std::string_view text) {
    const auto range = parse_range(text, kStart);
    return range.ok() ? std::pair(range->begin_ns - kStart, range->end_ns - kStart)
                      : std::pair<std::int64_t, std::int64_t>(-1, -1);
  };
  EXPECT_EQ(of("10s..20s"), std::pair(10'000'000'000L, 20'000'000'000L));
  EXPECT_EQ(of("0ms..1500us"), std::pair(0L, 1'500'000L));
  EXPECT_EQ(of("1700000000000000005..1700000000000000007"), std::pair(5L, 7L));
  EXPECT_FALSE(parse_range("2s..", kStart)->has(kStart));
  EXPECT_TRUE(parse_range("2s..", kStart)->has(INT64_MAX - 1));
  EXPECT_TRUE(parse_range("..2s", kStart)->has(0));
  for (const char* const text : {"", "10s", "20s..10s", "10..", "1x..2x", "-1s..2s", "25:00:00..",
                                 "10:00..", "99999999999999999999..", "10s..9999999999999d"}) {
    if (std::string_view(text) == "10..") continue;  // ns since 1970
    EXPECT_FALSE(parse_range(text, kStart).ok()) << text;
  }
}

TEST(Options, EveryUsedOptionCanBeSet) {
  struct Case {
    const char* name;
    const char* kind;
  };
  const Case used[] = {
#define DT_OPTION(name, when, ...) {#name, #__VA_ARGS__},
#define DT_UNUSED(...)
#include "api/options/options.def"
#undef DT_OPTION
#undef DT_UNUSED
  };
  for (const Case& each : used) {
    const std::string_view kind = each.kind;
    const char* value = std::string_view(each.name) == "machine"     ? "reference"
                        : std::string_view(each.name) == "bufresize" ? "auto"
                        : std::string_view(each.name) == "bufpolicy" ? "fill"
                        : std::string_view(each.name) == "encoding"  ? "utf8"
                        : std::string_view(each.name) == "oformat"   ? "jsonl"
                        : std::string_view(each.name) == "amin"      ? "Stable/Stable/Common"
                        : std::string_view(each.name) == "version"   ? "1.5"
                        : std::string_view(each.name) == "evaltime"  ? "exec"
                        : std::string_view(each.name) == "demangle"  ? "all"
                        : std::string_view(each.name) == "compat"    ? "solaris"
                        : std::string_view(each.name) == "view"      ? "@q:heat"
                        : std::string_view(each.name) == "push"      ? "tcp://localhost"
                        : std::string_view(each.name) == "stdc"      ? "a"
                        : std::string_view(each.name) == "setenv"    ? "A=b"
                        : std::string_view(each.name) == "cpphdrs"   ? ""
                        : kind.starts_with("Flag")                   ? ""
                        : kind.starts_with("Rate")                   ? "10hz"
                        : kind.starts_with("Text")                   ? "switch"
                                                                     : "64";
    Options options;
    EXPECT_TRUE(set_option(options, each.name, value).ok()) << each.name;
  }
}

TEST(Options, WhatChangesNothingIsTakenAndNoted) {
  Options options;
  EXPECT_TRUE(set_option(options, "maxframes", "20").ok());
  EXPECT_TRUE(set_option(options, "lockmem", "unlimited").ok());
  EXPECT_EQ(options.notes.size(), 2U);
  EXPECT_EQ(options.notes[0],
            "option 'maxframes' changes nothing here: stacks have as many frames as each stack() "
            "asks for");
  EXPECT_FALSE(set_option(options, "cleanrate", "often").ok());
  EXPECT_FALSE(set_option(options, "lockmem", "much").ok());
  EXPECT_EQ(options.notes.size(), 2U);
}

TEST(Options, EveryOptionThatDoesNothingSaysWhy) {
#define DT_OPTION(...)
#define DT_UNUSED(name, when, kind, verdict, why) EXPECT_STRNE(why, "") << #name;
#include "api/options/options.def"
#undef DT_OPTION
#undef DT_UNUSED
  Options options;
  const Status status = set_option(options, "modpath", "/x");
  EXPECT_EQ(status.error().remedy, "types of modules come from the kernel that runs");
}

TEST(Options, RatesStayWithinWhatCanBeKept) {
  Options options;
  EXPECT_EQ(options.switchrate_ns, 0U);
  EXPECT_TRUE(set_option(options, "switchrate", "1ns").ok());
  EXPECT_EQ(options.switchrate_ns, 200'000U);
  EXPECT_TRUE(set_option(options, "aggrate", "0").ok());
  EXPECT_EQ(options.aggrate_ns, 200'000U);
  EXPECT_TRUE(set_option(options, "deadman", "0").ok());
  EXPECT_GT(options.deadman_ns, 0U);
  EXPECT_TRUE(set_option(options, "statusrate", "100d").ok());
  EXPECT_EQ(options.statusrate_ns, 86'400'000'000'000U);
  EXPECT_TRUE(set_dynamic_option(options, "switchrate", "5s").ok());
  EXPECT_EQ(options.switchrate_ns, 5'000'000'000U);
  EXPECT_FALSE(set_dynamic_option(options, "statusrate", "5s").ok());
}

TEST(Options, WhatIsNeededBeforeTheProgramIsReadCannotBeInIt) {
  Options options;
  EXPECT_EQ(set_pragma_option(options, "setenv", "A=b").error().text,
            "Option cannot be used from within a D program");
  EXPECT_TRUE(set_pragma_option(options, "quiet", "").ok());
}

TEST(Options, EnvironmentsAreNamesAndValues) {
  Options options;
  EXPECT_TRUE(set_option(options, "setenv", "A=b=c").ok());
  EXPECT_TRUE(set_option(options, "unsetenv", "HOME").ok());
  EXPECT_EQ(options.environment, (std::vector<std::string>{"A=b=c", "HOME"}));
  for (const char* wrong : {"", "A", "=b"}) {
    EXPECT_FALSE(set_option(options, "setenv", wrong).ok()) << wrong;
  }
  EXPECT_FALSE(set_option(options, "unsetenv", "A=b").ok());
  EXPECT_TRUE(set_option(options, "cppargs", " -DA=1  -DB ").ok());
  EXPECT_EQ(options.cpp_args, (std::vector<std::string>{"-DA=1", "-DB"}));
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
  const Status round = set_option(options, "bufpolicy", "round");
  ASSERT_FALSE(round.ok());
  EXPECT_EQ(round.error().text, "Invalid value for specified option");
  EXPECT_EQ(round.error().remedy, "it is one of switch, fill, ring");
  EXPECT_EQ(set_option(options, "bufsize", "much").error().remedy,
            "it is a number of bytes, such as 4096, 64k or 4m");
  EXPECT_EQ(set_option(options, "switchrate", "fast").error().remedy,
            "it is a rate or a time, such as 10hz, 100ms or 5s");
  EXPECT_EQ(set_option(options, "quiet", "very").error().remedy, "it is on or off");
  EXPECT_EQ(set_option(options, "record", "").error().remedy, "it needs a value: record=...");
  EXPECT_EQ(set_option(options, "oformat", "").error().remedy, "it needs a value: oformat=...");
  const Status claim = set_option(options, "grabanon", "");
  ASSERT_FALSE(claim.ok());
  EXPECT_EQ(claim.error().text, "this option is not supported");
  EXPECT_EQ(claim.error().remedy, "-a claims an anonymous enabling");
  EXPECT_EQ(set_option(options, "core", "").error().text, "this option means nothing here");
  const Status typo = set_option(options, "bufsiz", "1m");
  ASSERT_FALSE(typo.ok());
  EXPECT_EQ(typo.error().text, "Invalid option name");
  EXPECT_EQ(typo.error().remedy, "did you mean 'bufsize'?");
}

// They would change how a program is built or described, never what a script records.
TEST(Options, WhatIsDoneOtherwiseHereIsAccepted) {
  const std::pair<const char*, const char*> accepted[] = {
      {"debug", ""},           {"debugassert", "all"},
      {"disasm", "8"},         {"dofstashpath", "/tmp"},
      {"kdefs", ""},           {"late", "static"},
      {"ldpath", "/bin/ld"},   {"linkmode", "dynamic"},
      {"linknommap", ""},      {"linktype", "elf"},
      {"objcopypath", "/bin"}, {"strip", ""},
      {"sysslice", ""},        {"udefs", ""},
      {"useruid", "500"},      {"bpflog", ""},
      {"bpflogsize", "16m"},   {"cleanrate", "10hz"},
      {"iregs", "8"},          {"pgmax", "8"}};
  for (const auto& [name, value] : accepted) {
    Options options;
    EXPECT_TRUE(set_option(options, name, value).ok()) << name;
    EXPECT_EQ(options.notes.size(), 1U) << name;
  }
  Options options;
  for (const auto& [name, value] : {std::pair("late", "never"), std::pair("linkmode", "foo"),
                                    std::pair("linktype", "foo"), std::pair("bpflogsize", "x")}) {
    EXPECT_FALSE(set_option(options, name, value).ok()) << name;
  }
}

TEST(Options, WhatIsSetIsGiven) {
  Options options;
  EXPECT_EQ(option_text(options, "bufsize"), "4194304");
  EXPECT_TRUE(set_option(options, "bufsize", "64k").ok());
  EXPECT_TRUE(set_option(options, "bufpolicy", "ring").ok());
  EXPECT_TRUE(set_option(options, "quiet", "").ok());
  EXPECT_EQ(option_text(options, "bufsize"), "65536");
  EXPECT_EQ(option_text(options, "bufpolicy"), "ring");
  EXPECT_EQ(option_text(options, "quiet"), "1");
  EXPECT_TRUE(option_flag(options, "quiet"));
  EXPECT_FALSE(option_flag(options, "nspec"));
  EXPECT_EQ(option_text(options, "wombats"), "");
}

}  // namespace
}  // namespace dt::api

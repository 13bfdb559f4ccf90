#include "dwatch/request.h"

#include <gtest/gtest.h>

namespace dt::dwatch {
namespace {

Result<Request> parse(std::vector<std::string> words) {
  words.insert(words.begin(), "dwatch");
  std::vector<char*> argv;
  argv.reserve(words.size() + 1);
  for (std::string& word : words) {
    argv.push_back(word.data());
  }
  argv.push_back(nullptr);
  return parse_request(static_cast<int>(words.size()), argv.data());
}

TEST(DwatchRequest, HelpAndVersionHaveWordsToo) {
  EXPECT_EQ(parse({"--help"})->mode, Mode::kHelp);
  EXPECT_EQ(parse({"--version"})->mode, Mode::kVersion);
}

TEST(DwatchRequest, AControlGroupIsAWord) {
  EXPECT_EQ(parse({"--cgroup", "nginx.service", "open"})->cgroup, "nginx.service");
  EXPECT_EQ(parse({"--cgroup=/a/b", "open"})->cgroup, "/a/b");
  EXPECT_EQ(parse({"--zone", "web", "open"})->zones, std::vector<std::string>{"web"});
  EXPECT_EQ(parse({"--cgroup", "a b", "open"}).error().text,
            "--cgroup: 'a b' has a blank or a control character in it");
  for (const std::vector<std::string>& words :
       {std::vector<std::string>{"--cgroup"}, std::vector<std::string>{"--cgroup", "", "open"}}) {
    EXPECT_EQ(parse(words).error().text, "--cgroup needs the name of a control group");
  }
}

TEST(DwatchRequest, EachOptionHasItsMember) {
  const Result<Request> request =
      parse({"-FqRvwxy", "-c",   "sleep 1", "-B", "3",  "-E",   "trace(1);", "-g",  "adm",
             "-j",       "web",  "-k",      "a*", "-N", "7",    "-o",        "out", "-O",
             "true",     "-p",   "12",      "-r", "x+", "-t",   "arg0",      "-T",  "5",
             "-u",       "root", "-z",      "^s", "-X", "open", "9"});
  ASSERT_TRUE(request.ok()) << request.error().text;
  EXPECT_TRUE(request->is_flow && request->is_quiet && request->has_tree && request->is_verbose &&
              request->is_destructive && request->has_probe_id && request->is_console);
  EXPECT_EQ(request->target_command, "sleep 1");
  EXPECT_EQ(request->most_words, 3U);
  EXPECT_EQ(request->details, std::vector<std::string>{"trace(1);"});
  EXPECT_EQ(request->groups, std::vector<std::string>{"adm"});
  EXPECT_EQ(request->zones, std::vector<std::string>{"web"});
  EXPECT_EQ(request->names, std::vector<std::string>{"a*"});
  EXPECT_EQ(request->most_events, 7U);
  EXPECT_EQ(request->output, "out");
  EXPECT_EQ(request->commands, std::vector<std::string>{"true"});
  EXPECT_EQ(request->pids, std::vector<std::string>{"12"});
  EXPECT_EQ(request->block_pattern, "x+");
  EXPECT_EQ(request->tests, std::vector<std::string>{"arg0"});
  EXPECT_EQ(request->duration, "5s");
  EXPECT_EQ(request->users, std::vector<std::string>{"root"});
  EXPECT_EQ(request->process_pattern, "^s");
  EXPECT_EQ(request->profile, "open");
  EXPECT_EQ(request->words, std::vector<std::string>{"9"});
}

TEST(DwatchRequest, BehindTwoDashesTargetsAreThoseOfDtrace) {
  const Result<Request> request = parse({"-X", "slow", "--", "5ms", "-c", "true", "-p", "7"});
  ASSERT_TRUE(request.ok()) << request.error().text;
  EXPECT_EQ(request->words, std::vector<std::string>{"5ms"});
  EXPECT_EQ(request->target_command, "true");
  EXPECT_EQ(request->targets, std::vector<std::int32_t>{7});
}

TEST(DwatchRequest, TheNumberOfNoJailIsTheGlobalZone) {
  EXPECT_EQ(parse({"-j", "0", "open"})->zones, std::vector<std::string>{"global"});
}

TEST(DwatchRequest, OneLineTakesTheTreeBack) {
  EXPECT_FALSE(parse({"-R", "-1", "open"})->has_tree);
}

TEST(DwatchRequest, AnOptionOfFreeBsdThatIsMissingSaysWhatIsShown) {
  EXPECT_EQ(parse({"-i", "open"}).error().remedy, "dwatch -h");
}

TEST(DwatchRequest, ABadValueIsRefusedByItsOption) {
  const struct {
    std::vector<std::string> words;
    std::string text;
  } kCases[] = {
      {{"-N", "x", "open"}, "-N: 'x' is not a number up to 18446744073709551615"},
      {{"-B", "65", "open"}, "-B: '65' is not a number up to 64"},
      {{"-K", "65", "open"}, "-K: '65' is not a number up to 64"},
      {{"-X", "tcp", "--", "-p", "-1"}, "-p: '-1' is not a number up to 2147483647"},
      {{"-p", "", "open"}, "-p needs a value"},
      {{"-T", "0", "open"}, "-T: '0' is not a time such as 5, 5s, 2m or 1h"},
      {{"-T", "1w", "open"}, "-T: '1w' is not a time such as 5, 5s, 2m or 1h"},
      {{"-T"}, "-T needs a value"},
      {{"-j", "", "open"}, "-j needs the name of a zone"},
      {{"-j", "a b", "open"}, "-j: 'a b' has a blank or a control character in it"},
      {{"-S", "open"}, "there is no option -S"},
      {{"--nothing", "open"}, "there is no option --nothing"},
      {{"-X", "open", "-X", "kill"}, "-X: 'kill' is a second profile, after 'open'"},
      {{}, "no probe or profile is named"},
  };
  for (const auto& one : kCases) {
    const Result<Request> request = parse(one.words);
    ASSERT_FALSE(request.ok()) << one.text;
    EXPECT_EQ(request.error().text, one.text);
  }
}

}  // namespace
}  // namespace dt::dwatch

#include "dwatch/sink.h"

#include <gtest/gtest.h>

namespace dt::dwatch {
namespace {

constexpr const char* kOne = "2026 Nov 25 12:00:00 0.0 cat\037[7]: one\n tree\n\036";
constexpr const char* kTwo = "2026 Nov  5 12:00:00 0.0 my [x]: y\037[8]: two\n\036";

std::string passed(const Request& request, std::vector<std::string> pieces,
                   bool* has_ended = nullptr) {
  std::string out;
  Result<Sink> sink = Sink::make(
      request, true, [&](std::string_view event) { out += without_mark(event); },
      [&] { *has_ended = true; });
  EXPECT_TRUE(sink.ok());
  for (const std::string& piece : pieces) {
    sink->take(piece);
  }
  sink->finish();
  return out;
}

TEST(DwatchSink, EventsPassWithoutTheirEnds) {
  EXPECT_EQ(passed({}, {kOne, kTwo, "\n"}),
            "2026 Nov 25 12:00:00 0.0 cat[7]: one\n tree\n"
            "2026 Nov  5 12:00:00 0.0 my [x]: y[8]: two\n");
}

TEST(DwatchSink, AnEventIsSearchedAsAWhole) {
  Request request;
  request.block_pattern = "tr[e]+";
  EXPECT_EQ(passed(request, {"2026 Nov 25 12:00:00 0.0 cat\037[7]: one\n t", "ree\n\036", kTwo}),
            "2026 Nov 25 12:00:00 0.0 cat[7]: one\n tree\n");
}

TEST(DwatchSink, ThePatternOfProgramsIsForTheirNamesOnly) {
  Request request;
  request.process_pattern = "^c.t$";
  EXPECT_EQ(passed(request, {kOne, kTwo}), "2026 Nov 25 12:00:00 0.0 cat[7]: one\n tree\n");
  request.process_pattern = "one|two";
  EXPECT_EQ(passed(request, {kOne, kTwo}), "");
}

TEST(DwatchSink, ANameOfAProgramHidesNothingAndShowsNothing) {
  constexpr const char* kLiar = "2026 Nov 25 12:00:00 9.9 cat[1]: x\037[8]: y\n\036";
  Request request;
  request.pids = {"^8$"};
  request.process_pattern = "x$";
  EXPECT_EQ(passed(request, {kLiar}), "2026 Nov 25 12:00:00 9.9 cat[1]: x[8]: y\n");
  request.pids = {"^1$"};
  EXPECT_EQ(passed(request, {kLiar}), "");
  request.pids = {};
  request.process_pattern = "^cat$";
  EXPECT_EQ(passed(request, {kLiar}), "");
  request.process_pattern = "";
  request.block_pattern = "cat\\[1\\]: x\\[8\\]";
  EXPECT_NE(passed(request, {kLiar}), "");
}

TEST(DwatchSink, PatternsOfNumbersAreForTheProcessAndWithATreeForThoseAbove) {
  constexpr const char* kTree =
      "2026 Nov 25 12:00:00 65534.7 cat\037[9]: x\n -+= 00001 0.0 init 1\n   \\-+= 00012 8.9 sh -c "
      "cat\n"
      "     \\-+= 00013 8.9 sh\n       \\---= 00009 65534.7 cat x\n\036";
  const auto is_shown = [&](const char* users, const char* pids, const char* program,
                            bool has_tree) {
    Request request;
    request.has_tree = has_tree;
    if (*users != '\0') request.users = {users};
    if (*pids != '\0') request.pids = {pids};
    request.process_pattern = program;
    return !passed(request, {kTree}).empty();
  };
  EXPECT_TRUE(is_shown("^6[5]", "", "", false));
  EXPECT_FALSE(is_shown("^6$", "", "", false));
  EXPECT_TRUE(is_shown("", "^9$", "", false));
  EXPECT_FALSE(is_shown("", "^1.$", "", false));
  EXPECT_TRUE(is_shown("", "^1.$", "", true));
  EXPECT_FALSE(is_shown("", "^0", "", true));
  EXPECT_TRUE(is_shown("^8$", "^9$", "^sh", true));
  EXPECT_FALSE(is_shown("", "", "^sh", false));
  EXPECT_FALSE(is_shown("^7$", "^9$", "", true));
}

TEST(DwatchSink, PartsOfAnEventAreFound) {
  const Parts parts = parts_of("2026 Nov  5 12:00:00 1.20 my [1]: y\037[8]: two: [3]: z\n tree\n");
  EXPECT_EQ(parts.date, "2026 Nov  5 12:00:00");
  EXPECT_EQ(parts.user, "1");
  EXPECT_EQ(parts.group, "20");
  EXPECT_EQ(parts.program, "my [1]: y");
  EXPECT_EQ(parts.pid, "8");
  EXPECT_EQ(parts.details, "two: [3]: z");
  EXPECT_EQ(parts_of("\nCALLS [PROGRAM]\n").program, "");
  EXPECT_EQ(parts_of("").pid, "");
  EXPECT_EQ(in_colours("2026 Nov  5 12:00:00 0.0 a b\037[8]: x\n"),
            "\x1b[2m2026 Nov  5 12:00:00\x1b[m 0.0 \x1b[1ma b\x1b[m[8]: x\n");
  EXPECT_EQ(in_colours("table\n"), "table\n");
}

TEST(DwatchSink, TheLastEventThatIsWantedEndsIt) {
  Request request;
  request.most_events = 2;
  bool has_ended = false;
  EXPECT_EQ(
      passed(request, {kOne, kOne, kTwo}, &has_ended),
      "2026 Nov 25 12:00:00 0.0 cat[7]: one\n tree\n2026 Nov 25 12:00:00 0.0 cat[7]: one\n tree\n");
  EXPECT_TRUE(has_ended);
}

TEST(DwatchSink, LinesOfTablesAreSearched) {
  Request request;
  request.block_pattern = "[bc]$";
  std::string out;
  Result<Sink> sink = Sink::make(
      request, false, [&](std::string_view line) { out += line; }, [] {});
  ASSERT_TRUE(sink.ok());
  for (const char* const piece : {"a", "b\n\nba\n", "c"}) {
    sink->take(piece);
  }
  sink->finish();
  EXPECT_EQ(out, "ab\nc");
}

TEST(DwatchSink, OptionsForEventsAreRefusedWhereThereAreNone) {
  const auto refused = [](const Request& request) {
    const Result<Sink> sink = Sink::make(
        request, false, [](std::string_view) {}, [] {});
    return sink.ok() ? "" : sink.error().text;
  };
  Request request;
  EXPECT_EQ(refused(request), "");
  request.most_events = 1;
  EXPECT_EQ(refused(request), "-N: this profile prints tables, and no events");
  request = {};
  request.process_pattern = "a";
  EXPECT_EQ(refused(request), "-z: this profile prints tables, and no events");
  request = {};
  request.is_flow = true;
  EXPECT_EQ(refused(request), "-F: this profile prints tables, and no events");
  request = {};
  request.pids = {"^7"};
  EXPECT_EQ(refused(request), "-p: this profile prints tables, and no events");
  request = {};
  request.has_tree = true;
  EXPECT_EQ(refused(request), "-R: this profile prints tables, and no events");
}

TEST(DwatchSink, WhatIsNoRegularExpressionIsRefused) {
  Request request;
  request.block_pattern = "(";
  const Result<Sink> sink = Sink::make(
      request, true, [](std::string_view) {}, [] {});
  ASSERT_FALSE(sink.ok());
  EXPECT_EQ(sink.error().text.substr(0, 34), "-r: '(' is no regular expression: ");
}

}  // namespace
}  // namespace dt::dwatch

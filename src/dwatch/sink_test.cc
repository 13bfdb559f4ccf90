#include "dwatch/sink.h"

#include <gtest/gtest.h>

namespace dt::dwatch {
namespace {

constexpr const char* kOne = "2026 Nov 25 12:00:00 0.0 cat[7]: one\n tree\n\036";
constexpr const char* kTwo = "2026 Nov  5 12:00:00 0.0 my [x]: y[8]: two\n\036";

std::string passed(const Request& request, std::vector<std::string> pieces,
                   bool* has_ended = nullptr) {
  std::string out;
  Result<Sink> sink = Sink::make(
      request, true, [&](std::string_view event) { out += event; }, [&] { *has_ended = true; });
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
  EXPECT_EQ(passed(request, {"2026 Nov 25 12:00:00 0.0 cat[7]: one\n t", "ree\n\036", kTwo}),
            "2026 Nov 25 12:00:00 0.0 cat[7]: one\n tree\n");
}

TEST(DwatchSink, ThePatternOfProgramsIsForTheirNamesOnly) {
  Request request;
  request.process_pattern = "^c.t$";
  EXPECT_EQ(passed(request, {kOne, kTwo}), "2026 Nov 25 12:00:00 0.0 cat[7]: one\n tree\n");
  request.process_pattern = "one|two";
  EXPECT_EQ(passed(request, {kOne, kTwo}), "");
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

// Of -F: the heading, and what -E prints between the lines, are no events.
TEST(DwatchSink, LinesOfCallsAreSearchedAndCounted) {
  constexpr const char* kHead = "CPU FUNCTION\n";
  Request request;
  request.is_flow = true;
  request.most_events = 2;
  std::string out;
  bool has_ended = false;
  const auto pass = [&](const std::vector<std::string>& pieces) {
    out.clear();
    has_ended = false;
    Result<Sink> sink = Sink::make(
        request, false, [&](std::string_view line) { out += line; }, [&] { has_ended = true; });
    ASSERT_TRUE(sink.ok());
    for (const std::string& piece : pieces) {
      sink->take(piece);
    }
    sink->finish();
  };
  pass({kHead, "  0  => open", "at a\n  0 of it\n 12   <- openat b\n  0  => openat c\n"});
  EXPECT_EQ(out, "CPU FUNCTION\n  0  => openat a\n  0 of it\n 12   <- openat b\n");
  EXPECT_TRUE(has_ended);
  request.block_pattern = "openat [bc]$";
  request.most_events = 3;
  pass({kHead, "  0  => openat a\n  0  <= openat b\n  1 | :BEGIN openat c\n  0 | "});
  EXPECT_EQ(out, "CPU FUNCTION\n  0  <= openat b\n  1 | :BEGIN openat c\n");
  EXPECT_FALSE(has_ended);
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
  request.is_flow = true;
  EXPECT_EQ(refused(request), "");
  request.process_pattern = "a";
  EXPECT_EQ(refused(request), "-z: the lines of -F do not begin with a program");
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

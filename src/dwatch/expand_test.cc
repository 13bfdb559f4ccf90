#include "dwatch/expand.h"

#include <gtest/gtest.h>

#include <map>

namespace dt::dwatch {
namespace {

// What a machine with few probes would count.
std::size_t counted(const std::string& description) {
  static const std::map<std::string, std::size_t> kCounts = {
      {"syscall::openat:", 2},
      {"syscall::openat:entry", 1},
      {"syscall::openat:return", 1},
      {":::exec-success", 1},
      {"::tcp_v4_rcv:", 2},
      {"::tcp_v4_rcv:entry", 1},
      {"::tcp_v4_rcv:return", 1},
      {"io:::", 2},
      {"proc:::exit", 1},
      {"::do_idle:return", 1},
      {"syscall::*sleep*:", 4},
      {"syscall::*sleep*:entry", 2},
      {"syscall::*sleep*:return", 2},
      {"::exit:", 1},
      {"sdt:a:b:c", 1},
  };
  const auto found = kCounts.find(description);
  return found == kCounts.end() ? 0 : found->second;
}

TEST(DwatchExpand, AWordIsTheFirstThatExists) {
  const struct {
    std::string word, description;
  } kCases[] = {
      {"openat", "syscall::openat:entry"},
      {"openat:return", "syscall::openat:return"},
      {"exec-success", ":::exec-success"},
      {"tcp_v4_rcv", "::tcp_v4_rcv:entry"},
      {"io", "io:::"},
      {"proc:exit", "proc:::exit"},
      {"do_idle:return", "::do_idle:return"},
      {"sleep", "syscall::*sleep*:entry"},
      {"exit", "::exit:"},
      {"sdt:a:b:c", "sdt:a:b:c"},
  };
  for (const auto& one : kCases) {
    const Result<std::string> expanded = expand(one.word, Field::kAny, false, counted);
    ASSERT_TRUE(expanded.ok()) << one.word;
    EXPECT_EQ(*expanded, one.description);
  }
}

TEST(DwatchExpand, BothEndsOfACallAreMeantWhereReturnsAre) {
  EXPECT_EQ(*expand("openat", Field::kAny, true, counted), "syscall::openat:");
}

TEST(DwatchExpand, ProbesOfACommandAreNotLookedFor) {
  EXPECT_EQ(*expand("pid$target:a.out::", Field::kAny, false, counted), "pid$target:a.out::entry");
  EXPECT_EQ(*expand("pid$target:a.out::", Field::kAny, true, counted), "pid$target:a.out::");
}

TEST(DwatchExpand, AnOldCallStandsForThoseThatProgramsMakeInstead) {
  const Count all = [](const std::string& text) -> std::size_t {
    return text.find("openat2") == std::string::npos && text.starts_with("syscall::") &&
           text.find(':', 9) != std::string::npos;
  };
  using List = std::vector<std::string>;
  EXPECT_EQ(*expand_all("open:return", Field::kAny, false, all),
            (List{"syscall::open:return", "syscall::openat:return"}));
  EXPECT_EQ(*expand_all("nanosleep:entry", Field::kAny, false, all),
            (List{"syscall::nanosleep:entry", "syscall::clock_nanosleep:entry"}));
  // A newer call, a field and a whole description are meant as they are.
  EXPECT_EQ(*expand_all("openat:entry", Field::kAny, false, all), List{"syscall::openat:entry"});
  EXPECT_EQ(*expand_all("syscall::open:entry", Field::kFunction, false, all),
            List{"syscall::open:entry"});
  EXPECT_EQ(*expand_all("syscall::open:entry", Field::kAny, false, all),
            List{"syscall::open:entry"});
}

TEST(DwatchExpand, AFieldIsAsked) {
  EXPECT_EQ(*expand("io", Field::kProvider, false, counted), "io:::");
  EXPECT_EQ(*expand("tcp_v4_rcv", Field::kFunction, false, counted), "::tcp_v4_rcv:entry");
  EXPECT_EQ(*expand("sdt:a:b:c", Field::kFunction, false, counted), "sdt:a:b:c");
  EXPECT_FALSE(expand("io", Field::kModule, false, counted).ok());
}

TEST(DwatchExpand, AWordThatIsNothingIsRefused) {
  EXPECT_EQ(expand("nothing", Field::kAny, false, counted).error().text,
            "no probe is called 'nothing'");
}

}  // namespace
}  // namespace dt::dwatch

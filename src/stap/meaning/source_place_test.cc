// Places in the source of a program, as points name them.

#include "stap/meaning/source_place.h"

#include <gtest/gtest.h>

namespace dt::stap {
namespace {

using Ranges = std::vector<std::pair<std::uint32_t, std::uint32_t>>;

TEST(SourcePlaces, HaveAFunctionAFileAndLines) {
  const struct {
    const char *text, *function, *file;
    SourcePlace::Lines lines;
    Ranges ranges;
    bool is_nearest;
  } kCases[] = {
      {"main", "main", "", SourcePlace::Lines::kAll, {}, false},
      {"main@a.c", "main", "a.c", SourcePlace::Lines::kAll, {}, false},
      {"*@dir/a.c:*", "*", "dir/a.c", SourcePlace::Lines::kAll, {}, false},
      {"main@a.c:12", "main", "a.c", SourcePlace::Lines::kRange, {{12, 12}}, false},
      {"main@a.c:5,12-15", "main", "a.c", SourcePlace::Lines::kRange, {{5, 5}, {12, 15}}, false},
      {"main@a.c#12", "main", "a.c", SourcePlace::Lines::kRange, {{12, 12}}, true},
      {"main@a.c+3", "main", "a.c", SourcePlace::Lines::kRelative, {{3, 3}}, false},
      {"main@c++/x.c", "main", "c++/x.c", SourcePlace::Lines::kAll, {}, false},
      {"main@c++/x.c:7", "main", "c++/x.c", SourcePlace::Lines::kRange, {{7, 7}}, false},
      {"main@a.c:12-", "main", "a.c:12-", SourcePlace::Lines::kAll, {}, false},
      {"main@a.c:99999999999", "main", "a.c:99999999999", SourcePlace::Lines::kAll, {}, false},
  };
  for (const auto& one : kCases) {
    const SourcePlace place = parse_source_place(one.text);
    EXPECT_EQ(place.function, one.function) << one.text;
    EXPECT_EQ(place.file, one.file) << one.text;
    EXPECT_EQ(place.lines, one.lines) << one.text;
    EXPECT_EQ(place.ranges, one.ranges) << one.text;
    EXPECT_EQ(place.is_nearest, one.is_nearest) << one.text;
  }
}

TEST(SourcePlaces, AFileIsNamedByTheEndOfItsPathOrByAPattern) {
  EXPECT_TRUE(is_source_file("a.c", "/src/dir/a.c"));
  EXPECT_TRUE(is_source_file("dir/a.c", "/src/dir/a.c"));
  EXPECT_TRUE(is_source_file("*.c", "/src/dir/a.c"));
  EXPECT_TRUE(is_source_file("*/dir/*", "/src/dir/a.c"));
  EXPECT_FALSE(is_source_file("a.c", "/src/dir/ba.c"));
  EXPECT_FALSE(is_source_file("ir/a.c", "/src/dir/a.c"));
}

TEST(SourcePlaces, LinesAreInTheirRangesOrTheNearestOne) {
  SourcePlace place = parse_source_place("main@a.c:5,12-15");
  for (const std::uint32_t line : {5U, 12U, 15U}) EXPECT_TRUE(has_line(place, line)) << line;
  for (const std::uint32_t line : {4U, 6U, 11U, 16U}) EXPECT_FALSE(has_line(place, line)) << line;
  EXPECT_TRUE(has_line(parse_source_place("main@a.c"), 1));
  place = parse_source_place("main@a.c+3");
  count_from(place, 10);
  EXPECT_TRUE(has_line(place, 13));
  place = parse_source_place("main@a.c#12");
  to_nearest(place, {3, 10, 15});
  EXPECT_EQ(place.ranges, (Ranges{{10, 10}}));
}

}  // namespace
}  // namespace dt::stap

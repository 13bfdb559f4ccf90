// The columns of rows.

#include "record/columns.h"

#include <gtest/gtest.h>

namespace dt::record {
namespace {

TEST(Columns, AreANameAndPerhapsAConversion) {
  const auto plain = parse_column("PID");
  ASSERT_TRUE(plain);
  EXPECT_EQ(plain->name, "PID");
  EXPECT_EQ(plain->piece.conversion, 0);
  const auto shown = parse_column("LAT (ms)  %{ms}8.3f");
  ASSERT_TRUE(shown);
  EXPECT_EQ(shown->name, "LAT (ms)");
  EXPECT_EQ(shown->piece.conversion, 'f');
  EXPECT_EQ(shown->piece.divisor, 1'000'000U);
  EXPECT_EQ(shown->piece.width, 8);
  EXPECT_EQ(parse_column("100%%")->name, "100%");
}

TEST(Columns, WhatIsNoColumnIsRefused) {
  for (const char* text : {"", " ", "%d", "A %d B", "A %d%d", "A %*d", "A %.*d", "A %@d", "A\tB",
                           "A\x7f", "A\n", "A %q", "A %"}) {
    EXPECT_FALSE(parse_column(text)) << text;
  }
}

TEST(Columns, StandOneOnEachLine) {
  const auto columns = parse_columns("PID\nCOMM %-16s\n%q");
  ASSERT_EQ(columns.size(), 3U);
  EXPECT_EQ(columns[0].name, "PID");
  EXPECT_EQ(columns[1].name, "COMM");
  EXPECT_EQ(columns[2].name, "%q");
  EXPECT_TRUE(parse_columns("").empty());
}

}  // namespace
}  // namespace dt::record

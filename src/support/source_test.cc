#include "support/source.h"

#include <gtest/gtest.h>

namespace dt::support {
namespace {

TEST(Source, AnOffsetBecomesALineAndAColumn) {
  const Source source("x.d", "ab\ncd\n");
  EXPECT_EQ(source.physical(0).line, 1U);
  EXPECT_EQ(source.physical(2).column, 3U);
  EXPECT_EQ(source.physical(3).line, 2U);
  EXPECT_EQ(source.physical(6).line, 3U);
  EXPECT_EQ(source.line_text(2), "cd");
  EXPECT_EQ(source.line_text(9), "");
}

TEST(Source, ALineMarkerRenamesWhatFollows) {
  Source source("x.d", "# 10 \"y.h\"\nfirst\nsecond\n");
  source.add_marker(0, 10, "y.h");
  EXPECT_EQ(source.locate(0).file, "x.d");
  EXPECT_EQ(source.locate(11).file, "y.h");
  EXPECT_EQ(source.locate(11).line, 10U);
  EXPECT_EQ(source.locate(17).line, 11U);
  EXPECT_EQ(source.physical(17).line, 3U);
}

TEST(Span, JoinCoversBoth) {
  EXPECT_EQ(join(Span{0, 4, 6}, Span{0, 1, 5}), (Span{0, 1, 6}));
  EXPECT_EQ(join(Span{0, 4, 6}, Span{1, 1, 5}), (Span{0, 4, 6}));
}

}  // namespace
}  // namespace dt::support

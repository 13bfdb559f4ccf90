// printf formats and the conversions of numbers.

#include "consumer/value/format.h"

#include <gtest/gtest.h>
#include <stdlib.h>
#include <time.h>

namespace dt::consumer {
namespace {

Number signed_number(std::int64_t value, std::uint32_t size = 8) {
  return {static_cast<std::uint64_t>(value), size, true};
}
Number unsigned_number(std::uint64_t value, std::uint32_t size = 8) { return {value, size, false}; }

std::string shown(std::string_view format, const Number& number) {
  std::string out;
  for (const Piece& piece : parse_format(format)) {
    out += piece.text;
    if (piece.conversion != 0) {
      append_number(out, piece, number);
    }
  }
  return out;
}

std::string shown_float(std::string_view format, long double value) {
  std::string out;
  append_float(out, parse_format(format).at(0), value);
  return out;
}

TEST(Format, NumbersFollowTheirConversion) {
  const struct {
    const char* format;
    Number number;
    const char* text;
  } kTable[] = {
      {"%d", signed_number(-5), "-5"},
      {"%i", signed_number(INT64_MIN), "-9223372036854775808"},
      {"%5d|", signed_number(42), "   42|"},
      {"%-5d|", signed_number(42), "42   |"},
      {"%05d", signed_number(-42), "-0042"},
      {"%-05d|", signed_number(42), "42   |"},
      {"%+d", signed_number(42), "+42"},
      {"% d", signed_number(42), " 42"},
      {"%.4d", signed_number(-42), "-0042"},
      {"%8.4d", signed_number(42), "    0042"},
      {"%08.4d", signed_number(42), "    0042"},
      {"%.0d", signed_number(0), "0"},
      {"%5.0d", signed_number(0), "    0"},
      {"%05.0d", signed_number(-7), "-0007"},
      {"%#.0x", unsigned_number(0), "0"},
      {"%'d", signed_number(1234567), "1234567"},
      {"%d", signed_number(-1, 4), "-1"},
      {"%d", unsigned_number(0xffffffff, 4), "4294967295"},
      {"%d", unsigned_number(UINT64_MAX), "18446744073709551615"},
      {"%i", unsigned_number(0xffff, 2), "-1"},
      {"%i", unsigned_number(0x7f, 1), "127"},
      {"%i", unsigned_number(UINT64_MAX), "-1"},
      {"%lld", unsigned_number(UINT64_MAX), "-1"},
      {"%hd", unsigned_number(0xfffe, 2), "-2"},
      {"%u", signed_number(-1, 1), "255"},
      {"%u", signed_number(-1, 4), "4294967295"},
      {"%x", signed_number(-1, 2), "ffff"},
      {"%X", unsigned_number(0xdeadbeef), "DEADBEEF"},
      {"%#x", unsigned_number(255), "0xff"},
      {"%#X", unsigned_number(255), "0XFF"},
      {"%#x", unsigned_number(0), "0"},
      {"%#06x", unsigned_number(255), "0x00ff"},
      {"%o", unsigned_number(8), "10"},
      {"%#o", unsigned_number(8), "010"},
      {"%p", unsigned_number(0xffff888012345678), "ffff888012345678"},
      {"%?x|", unsigned_number(0xab), "              ab|"},
      {"%-?p|", unsigned_number(0xab), "ab              |"},
      {"%lld %hd %hu", signed_number(7), "7 7 7"},
      {"%lx", unsigned_number(16), "10"},
      {"%C", signed_number('a', 1), "a"},
      {"%C", signed_number('\n', 1), "\\n"},
      {"%4C|", signed_number(7, 1), "  \\a|"},
      {"100%% of %d", signed_number(3), "100% of 3"},
  };
  for (const auto& row : kTable) {
    EXPECT_EQ(shown(row.format, row.number), row.text) << row.format;
  }
}

TEST(Format, WhatIsNoConversionIsText) {
  EXPECT_EQ(shown("50%", signed_number(1)), "50%");
  EXPECT_EQ(shown("%q%d", signed_number(1)), "%q1");
  EXPECT_EQ(shown("%-08.3", signed_number(1)), "%-08.3");
  EXPECT_EQ(shown("", signed_number(1)), "");
}

TEST(Format, WidthsAreBounded) {
  EXPECT_EQ(shown("%100000d", signed_number(1)).size(), 100000U);
  EXPECT_EQ(shown("%99999999999999d", signed_number(1)).size(),
            static_cast<std::size_t>(kMaxWidth));
  Piece piece;
  set_width(piece, INT64_MIN);
  EXPECT_EQ(piece.width, kMaxWidth);
  EXPECT_TRUE(piece.left);
  set_precision(piece, INT64_MAX);
  EXPECT_EQ(piece.precision, kMaxWidth);
  set_precision(piece, -3);
  EXPECT_EQ(piece.precision, -1);
}

TEST(Format, APrecisionOf0IsNoneForText) {
  const auto text = [](std::string_view format) {
    std::string out;
    append_text(out, parse_format(format).at(0), "hello");
    return out;
  };
  EXPECT_EQ(text("%.0s"), "hello");
  EXPECT_EQ(text("%.s"), "hello");
  EXPECT_EQ(text("%.2s"), "he");
  EXPECT_EQ(text("%8.0s"), "   hello");
  EXPECT_EQ(text("%-8.1s"), "h       ");
}

TEST(Format, FloatsFollowC) {
  EXPECT_EQ(shown_float("%f", 1.5L), "1.500000");
  EXPECT_EQ(shown_float("%.2e", 1234.5L), "1.23e+03");
  EXPECT_EQ(shown_float("%G", 0.00001L), "1E-05");
  EXPECT_EQ(shown_float("%-8.1f|", 2.0L).substr(0, 8), "2.0     ");
}

TEST(Format, DatesAreLocalTime) {
  ::setenv("TZ", "UTC", 1);
  ::tzset();
  EXPECT_EQ(shown("%Y", signed_number(1669315613000000000)), "2022 Nov 24 18:46:53");
  EXPECT_EQ(shown("%Y", signed_number(1694105342633402400)), "2023 Sep  7 16:49:02");
  EXPECT_EQ(shown("%T", signed_number(1075064400000000000)), "Sun, 25 Jan 2004 21:00:00 UTC");
  EXPECT_EQ(shown("%Y", signed_number(-1)), "1969 Dec 31 23:59:59");
}

TEST(Format, AggregationConversionsAreMarked) {
  const Format format = parse_format("%-10s %@8d%@-5u");
  ASSERT_EQ(format.size(), 3U);
  EXPECT_FALSE(format[0].aggregation);
  EXPECT_TRUE(format[1].aggregation);
  EXPECT_EQ(format[1].width, 8);
  EXPECT_TRUE(format[2].aggregation);
  EXPECT_TRUE(format[2].left);
}

}  // namespace
}  // namespace dt::consumer

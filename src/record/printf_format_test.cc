// What is read of printf formats.

#include "record/printf_format.h"

#include <fmt/core.h>
#include <gtest/gtest.h>

namespace dt::record {
namespace {

// Pieces as "text|%flags width.precision size letter", the parts that are there.
std::string read(std::string_view format) {
  std::string out;
  const ParsedFormat parsed = parse_format(format);
  for (const FormatPiece& piece : parsed.pieces) {
    out += "[" + piece.text;
    if (piece.conversion != 0) {
      out += "|%";
      if (piece.aggregation) out += "@";
      if (piece.left) out += "-";
      if (piece.plus) out += "+";
      if (piece.blank) out += " ";
      if (piece.zero) out += "0";
      if (piece.alternate) out += "#";
      if (piece.width_argument) out += "*";
      if (piece.width != 0) out += std::to_string(piece.width);
      if (piece.precision_argument) out += ".*";
      if (piece.precision >= 0) out += "." + std::to_string(piece.precision);
      out += piece.name();
    }
    out += "]";
  }
  if (parsed.error) {
    const bool is_unknown = parsed.error->kind == FormatError::Kind::kUnknown;
    out += fmt::format(" {} {}-{}", is_unknown ? "unknown" : "incomplete", parsed.error->begin,
                       parsed.error->end);
  }
  return out;
}

TEST(PrintfFormat, PiecesAreATextAndAConversion) {
  const struct {
    const char* format;
    const char* pieces;
  } kTable[] = {
      {"", ""},
      {"text", "[text]"},
      {"a %d b %s", "[a |%d][ b |%s]"},
      {"%d.", "[|%d][.]"},
      {"100%% %u", "[100% |%u]"},
      {"%-+ 0#'12.3lld", "[|%-+ 0#12.3lld]"},
      {"%*.*hx", "[|%*.*hx]"},
      {"%?p", "[|%16p]"},
      {"%@8d%-@5u%5.2@x", "[|%@8d][|%@-5u][|%@5.2x]"},
      {"%.d", "[|%.0d]"},
      {"%99999999999d", "[|%16777216d]"},
  };
  for (const auto& row : kTable) EXPECT_EQ(read(row.format), row.pieces) << row.format;
}

TEST(PrintfFormat, WhatCannotBeReadIsTextAndAnError) {
  EXPECT_EQ(read("50%"), "[50%] incomplete 2-3");
  EXPECT_EQ(read("a%-08.3"), "[a%-08.3] incomplete 1-7");
  EXPECT_EQ(read("%ll"), "[%ll] incomplete 0-3");
  EXPECT_EQ(read("%q%d%y"), "[%q|%d][%y] unknown 0-2");
  EXPECT_EQ(read("%llld"), "[%llld] unknown 0-4");
}

TEST(PrintfFormat, AConversionKnowsItsPlace) {
  const ParsedFormat parsed = parse_format("a %5d %%%s");
  ASSERT_EQ(parsed.pieces.size(), 2U);
  EXPECT_EQ(parsed.pieces[0].begin, 2U);
  EXPECT_EQ(parsed.pieces[0].end, 5U);
  EXPECT_EQ(parsed.pieces[1].begin, 8U);
  EXPECT_EQ(parsed.pieces[1].end, 10U);
}

}  // namespace
}  // namespace dt::record

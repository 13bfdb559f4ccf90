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
      if (!piece.modifier.empty()) out += "{" + piece.modifier + "}";
      if (piece.divisor != 0) out += "/" + std::to_string(piece.divisor);
      if (piece.percentile >= 0) out += "p" + std::to_string(piece.percentile);
      if (piece.total) out += "n";
      out += piece.name();
    }
    out += "]";
  }
  if (parsed.error) {
    constexpr const char* kKinds[] = {"incomplete", "unknown", "modifier", "number"};
    out += fmt::format(" {} {}-{}", kKinds[static_cast<std::size_t>(parsed.error->kind)],
                       parsed.error->begin, parsed.error->end);
  }
  return out;
}

TEST(PrintfFormat, ModifiersBelongToSomeConversions) {
  for (const std::string_view format : {"%{ms}s",
                                        "%{ms}x",
                                        "%{parsec}d",
                                        "%{0}d",
                                        "%{-1}d",
                                        "%{ms,us}d",
                                        "%{}d",
                                        "%{}Y",
                                        "%{p50}d",
                                        "%@{p101}d",
                                        "%@{p100.5}d",
                                        "%@{p9.9999}d",
                                        "%@{p50,p99}d",
                                        "%@{p50,count}d",
                                        "%@{p}d",
                                        "%@{ms,}d",
                                        "%{load1,ms}f",
                                        "%{ms,load1}f",
                                        "%{load1,load5}f",
                                        "%@{load1}d",
                                        "%{p50,load1}d",
                                        "%{load2}d",
                                        "%{fit}d",
                                        "%{fit,ms}s",
                                        "%{18446744073709551616}d",
                                        "%{%H}T"}) {
    EXPECT_TRUE(read(format).ends_with(fmt::format(" modifier 0-{}", format.size())))
        << format << ": " << read(format);
  }
  EXPECT_TRUE(read("%{load1}s").ends_with(" number 0-9")) << read("%{load1}s");
  EXPECT_TRUE(read("%{cpus}x").ends_with(" number 0-8")) << read("%{cpus}x");
  const std::string longest = "%{" + std::string(kMaxModifier, 'x') + "}Y";
  EXPECT_FALSE(parse_format(longest).error);
  const std::string too_long = "%{" + std::string(kMaxModifier + 1, 'x') + "}Y";
  EXPECT_TRUE(parse_format(too_long).error);
  for (const std::string_view format : {"%{", "%{ms", "%{ms}", "%@{p50}"}) {
    EXPECT_TRUE(read(format).find(" incomplete 0-") != std::string::npos) << read(format);
  }
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
      {"%{ms}.3f", "[|%.3{ms}/1000000f]"},
      {"%-{KiB}8d", "[|%-8{KiB}/1024d]"},
      {"%{1000}5u", "[|%5{1000}/1000u]"},
      {"%{%H:%M:%S}Y.", "[|%{%H:%M:%S}Y][.]"},
      {"%@{p99}d", "[|%@{p99}p99000d]"},
      {"%@{p99.95,us}.1f", "[|%@.1{p99.95,us}/1000p99950f]"},
      {"%8@{count}d", "[|%@8{count}nd]"},
      {"%@{p100}d%@{p0}d", "[|%@{p100}p100000d][|%@{p0}p0d]"},
      {"%{load1}.2f", "[|%.2{load1}/100f]"},
      {"%{memfree,MiB}d", "[|%{memfree,MiB}/1048576d]"},
      {"%{columns}d", "[|%{columns}/1d]"},
      {"%{fit}s", "[|%{fit}s]"},
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

TEST(PrintfFormat, NumbersOfTheMachineThatDoNotDependOnWhoPrintsHaveNames) {
  EXPECT_EQ(supply_of_machine("load15"), Supply::kLoad15);
  EXPECT_EQ(supply_of_machine("memfree"), Supply::kMemFree);
  for (const char* name : {"lines", "columns", "load", "", "memfree,MiB"}) {
    EXPECT_EQ(supply_of_machine(name), Supply::kNone) << name;
  }
}

}  // namespace
}  // namespace dt::record

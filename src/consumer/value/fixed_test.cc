// Numbers with decimals, from integers alone.

#include "consumer/value/fixed.h"

#include <gtest/gtest.h>

#include <limits>

namespace dt::consumer {
namespace {

constexpr std::int64_t kLowest = std::numeric_limits<std::int64_t>::min();

std::string shown(std::string_view format, Quotient quotient) {
  std::string out;
  append_fixed(out, parse_format(format).at(0), quotient);
  return out;
}

TEST(Fixed, DecimalsAreRoundedToTheNearest) {
  const struct {
    const char* format;
    Quotient quotient;
    const char* text;
  } kTable[] = {
      {"%.3f", {2, 3}, "0.667"},
      {"%f", {1, 8}, "0.125000"},
      {"%.2f", {1, 8}, "0.13"},
      {"%.2f", {-1, 8}, "-0.13"},
      {"%.1f", {-1, 100}, "0.0"},
      {"%.1f", {9999, 1000}, "10.0"},
      {"%.0f", {-1999, 2}, "-1000"},
      {"%#.0f", {7, 1}, "7."},
      {"%{ms}d", {-1999999, 1}, "-1"},
      {"%{ms}8.1f", {1250000, 1}, "     1.3"},
      {"%{ms}-8.1f", {1250000, 1}, "1.3     "},
      {"%{ms}08.1f", {-1250000, 1}, "-00001.3"},
      {"%{1000}.2f", {1, 3}, "0.00"},
      {"%.6f", {kLowest, 1000000}, "-9223372036854.775808"},
  };
  for (const auto& row : kTable) EXPECT_EQ(shown(row.format, row.quotient), row.text) << row.format;
}

TEST(Fixed, DivisorsMayExceedWhatTheDenominatorHolds) {
  Quotient quotient{kLowest, 1};
  for (int i = 0; i < 3; ++i) divide_by(quotient, std::numeric_limits<std::uint64_t>::max());
  EXPECT_EQ(shown("%.3f", quotient), "0.000");
  Quotient undivided{5, 1};
  divide_by(undivided, 0);
  EXPECT_EQ(shown("%.0f", undivided), "5");
}

TEST(Fixed, DecimalsHaveALimit) { EXPECT_LT(shown("%.16777216f", {1, 3}).size(), 2000U); }

}  // namespace
}  // namespace dt::consumer

#include "support/columns.h"

#include <gtest/gtest.h>

#include <clocale>
#include <cstdint>
#include <cwchar>
#include <ios>

namespace dt::support {
namespace {

TEST(DisplayColumns, AreThoseOfTheTerminal) {
  EXPECT_EQ(columns_of(U'a'), 1U);
  EXPECT_EQ(columns_of(U'\u00e4'), 1U);
  EXPECT_EQ(columns_of(U'\u0301'), 0U) << "an accent that is put on the letter before";
  EXPECT_EQ(columns_of(U'\u4e2d'), 2U);
  EXPECT_EQ(columns_of(U'\uff21'), 2U);
  EXPECT_EQ(columns_of(U'\uff71'), 1U) << "half as wide as other katakana";
  EXPECT_EQ(columns_of(U'\U0001f600'), 2U);
  EXPECT_EQ(columns_of(U'\U0010ffff'), 1U);
}

// For every character that this C library knows.
TEST(DisplayColumns, AreThoseOfTheCLibrary) {
  const locale_t utf8 = ::newlocale(LC_ALL_MASK, "C.UTF-8", nullptr);
  if (utf8 == nullptr) GTEST_SKIP() << "there is no locale C.UTF-8";
  const locale_t before = ::uselocale(utf8);
  for (char32_t c = 0xa0; c < 0x110000; ++c) {
    const int columns = ::wcwidth(static_cast<wchar_t>(c));
    if (columns >= 0) {
      EXPECT_EQ(columns_of(c), static_cast<std::size_t>(columns)) << std::hex << std::uint32_t{c};
    }
  }
  ::uselocale(before);
  ::freelocale(utf8);
}

}  // namespace
}  // namespace dt::support

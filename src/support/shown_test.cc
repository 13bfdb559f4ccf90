#include "support/shown.h"

#include <gtest/gtest.h>

namespace dt::support {
namespace {

TEST(Shown, EveryByteOfANameIsPrintable) {
  for (int byte = 0; byte < 256; ++byte) {
    const auto c = static_cast<char>(byte);
    const std::string shown = shown_name({&c, 1});
    EXPECT_TRUE(is_plain(shown)) << byte;
    EXPECT_EQ(shown == std::string(1, c), is_plain({&c, 1})) << byte;
  }
  EXPECT_EQ(shown_name("a\nb\tc\x1b[31m"), "a\\012b\\011c\\033[31m");
}

TEST(Shown, TextKeepsItsLines) {
  EXPECT_EQ(shown_text("a\nb\tc\x1b[31m\r"), "a\nb\tc\\033[31m\\015");
}

TEST(Shown, Utf8StaysButForControls) {
  EXPECT_EQ(shown_name("gr\u00fc\u00df \u65e5\u672c"), "gr\u00fc\u00df \u65e5\u672c");
  for (const char* control : {"\u061c", "\u200e", "\u200f", "\u2028", "\u2029", "\u202a", "\u202b",
                              "\u202c", "\u202d", "\u202e", "\u2066", "\u2067", "\u2068", "\u2069",
                              "\ufffe", "\uffff", "\xc2\x80", "\xc2\x9b", "\xc2\x9f"}) {
    EXPECT_TRUE(is_plain(shown_name(control))) << shown_name(control);
    EXPECT_TRUE(is_plain(shown_text(control))) << shown_text(control);
  }
  // Overlong, a surrogate, cut off.
  for (const char* bad : {"\xc0\x9b", "\xe0\x80\x9b", "\xed\xa0\x80", "\xe2\x80", "\xf5"}) {
    EXPECT_TRUE(is_plain(shown_name(bad))) << shown_name(bad);
  }
}

}  // namespace
}  // namespace dt::support

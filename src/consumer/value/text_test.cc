// Escapes, dumps and the look of bytes.

#include "consumer/value/text.h"

#include <gtest/gtest.h>

namespace dt::consumer {
namespace {

Bytes bytes_of(std::string_view text) {
  return {reinterpret_cast<const std::uint8_t*>(text.data()), text.size()};
}

std::string terminal(std::string_view text) {
  std::string out;
  append_for_terminal(out, text);
  return out;
}

TEST(Text, DumpsSixteenBytesARow) {
  std::string out;
  append_hex_dump(out, bytes_of("SunOS"));
  EXPECT_EQ(out,
            "\n             0  1  2  3  4  5  6  7  8  9  a  b  c  d  e  f  0123456789abcdef\n"
            "         0: 53 75 6e 4f 53                                   SunOS\n");
  out.clear();
  append_hex_dump(out, bytes_of(std::string_view("0123456789abcdef\x00\x7f\xff", 19)));
  EXPECT_EQ(out,
            "\n             0  1  2  3  4  5  6  7  8  9  a  b  c  d  e  f  0123456789abcdef\n"
            "         0: 30 31 32 33 34 35 36 37 38 39 61 62 63 64 65 66  0123456789abcdef\n"
            "        10: 00 7f ff                                         ...\n");
}

TEST(Text, WhatIsPrintableUpToTrailingNulsLooksLikeAString) {
  EXPECT_EQ(look_of(bytes_of("abc")), Look::kUnterminated);
  EXPECT_EQ(look_of(bytes_of(std::string_view("a\tb\n\b\a\0\0", 8))), Look::kTerminated);
  EXPECT_EQ(look_of(bytes_of(std::string_view("a\0b", 3))), Look::kBinary);
  EXPECT_EQ(look_of(bytes_of(std::string_view("\0\0", 2))), Look::kBinary);
  EXPECT_EQ(look_of(bytes_of("a\x01")), Look::kBinary);
  EXPECT_EQ(look_of(bytes_of("\xc3\xa9")), Look::kBinary);
}

TEST(Text, TheTerminalSeesNoControlCharacters) {
  EXPECT_EQ(terminal("\x1b[31mred\x07"), "\\033[31mred\\007");
  EXPECT_EQ(terminal("a\tb\nc\rd\x7f"), "a\tb\nc\\015d\\177");
  EXPECT_EQ(terminal(std::string_view("a\0b", 3)), "a\\000b");
}

TEST(Text, TheTerminalSeesOnlyValidUtf8) {
  EXPECT_EQ(terminal("\xc3\xa9 \xe2\x82\xac \xf0\x9f\x90\xa7"),
            "\xc3\xa9 \xe2\x82\xac \xf0\x9f\x90\xa7");
  EXPECT_EQ(terminal("\xc2\x9b"), "\\302\\233") << "C1 control";
  EXPECT_EQ(terminal("\xc0\xaf"), "\\300\\257") << "overlong";
  EXPECT_EQ(terminal("\xed\xa0\x80"), "\\355\\240\\200") << "surrogate";
  EXPECT_EQ(terminal("\xf4\x90\x80\x80"), "\\364\\220\\200\\200") << "beyond Unicode";
  EXPECT_EQ(terminal("\xe2\x82"), "\\342\\202") << "truncated";
  EXPECT_EQ(terminal("\xff"), "\\377");
}

TEST(Text, TheTerminalIsNotTurnedAround) {
  EXPECT_EQ(terminal("a\u202eb\u2066\u200f\u061c"),
            "a\\342\\200\\256b\\342\\201\\246\\342\\200\\217\\330\\234");
}

TEST(Text, CEscapesEverythingThatIsNotPrintableAscii) {
  std::string out;
  append_c_escaped(out, std::string_view("a\n\t\\\"\0\x1b\xff", 8));
  EXPECT_EQ(out, "a\\n\\t\\\\\\\"\\0\\033\\377");
}

TEST(Text, TheLastLineEndsWhereTheTerminalDoes) {
  const auto cut = [](std::string text, std::size_t columns) {
    cut_line(text, columns);
    return text;
  };
  EXPECT_EQ(cut("abcdef", 4), "abcd");
  EXPECT_EQ(cut("abcd", 4), "abcd");
  EXPECT_EQ(cut("abcdef", 0), "abcdef");
  EXPECT_EQ(cut("a long line\nabcdef", 4), "a long line\nabcd");
  EXPECT_EQ(cut("abcdef\n", 4), "abcdef\n");
  EXPECT_EQ(cut("\u00e4\u00f6\u00fcxyz", 4), "\u00e4\u00f6\u00fcx");
  EXPECT_EQ(cut("\u65e5\u672c\u8a9e", 5), "\u65e5\u672c") << "the third has one of its two columns";
  EXPECT_EQ(cut("e\u0301e\u0301e", 2), "e\u0301e\u0301") << "accents need no column";
}

}  // namespace
}  // namespace dt::consumer

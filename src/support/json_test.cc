// JSON text: valid whatever it is given.

#include "support/json.h"

#include <gtest/gtest.h>

#include <limits>
#include <string>
#include <string_view>

namespace dt::support {
namespace {

std::string string_of(std::string_view text) {
  std::string out;
  Json(out).string(text);
  return out;
}

TEST(Json, PutsCommasWhereTheyBelong) {
  std::string out;
  Json json(out);
  json.begin_object().field("a", std::int64_t{-1}).key("b").begin_array();
  json.number(std::uint64_t{1}).null().boolean(true).begin_object().end_object();
  json.end_array().field("c", "x").end_object();
  EXPECT_EQ(out, R"({"a":-1,"b":[1,null,true,{}],"c":"x"})");
}

TEST(Json, EscapesWhatJsonEscapes) {
  EXPECT_EQ(string_of("a\"b\\c\n\t\x1b\x7f"), R"("a\"b\\c\n\t\u001b\u007f")");
  EXPECT_EQ(string_of(std::string_view("a\0b", 3)), R"("a\u0000b")");
  EXPECT_EQ(string_of("\xc3\xa9"), "\"\xc3\xa9\"");
}

TEST(Json, EscapesWhatATerminalObeys) {
  EXPECT_EQ(string_of("\u0080\u009b\u00a0"), "\"\\u0080\\u009b\u00a0\"");
  EXPECT_EQ(string_of("a\u202eb\u2066\u200f\u061c"), R"("a\u202eb\u2066\u200f\u061c")");
}

TEST(Json, IsUtf8WhateverItIsGiven) {
  std::string all;
  for (int byte = 0; byte < 256; ++byte) {
    all += static_cast<char>(byte);
  }
  EXPECT_FALSE(is_utf8(all));
  EXPECT_TRUE(is_utf8(string_of(all)));
  EXPECT_EQ(string_of("a\xff\xc0\xaf"), R"("a\ufffd\ufffd\ufffd")");
  EXPECT_TRUE(is_utf8("\xe2\x82\xac"));
  EXPECT_FALSE(is_utf8("\xed\xa0\x80")) << "surrogate";
}

TEST(Json, HasNoNumberForWhatIsNone) {
  std::string out;
  Json json(out);
  json.begin_array().real(0.5L).real(std::numeric_limits<long double>::infinity()).end_array();
  EXPECT_EQ(out, "[0.5,null]");
}

}  // namespace
}  // namespace dt::support

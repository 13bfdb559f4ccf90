// What strings' subroutines compute, case by case.

#include "ir/string_subroutines.h"

#include <gtest/gtest.h>

namespace dt::ir {
namespace {

TEST(Strings, IndexIsWherePerlFindsIt) {
  EXPECT_EQ(index_of("hello hello", "lo", 0), 3);
  EXPECT_EQ(index_of("hello hello", "lo", 4), 9);
  EXPECT_EQ(index_of("hello", "lo", -5), 3);
  EXPECT_EQ(index_of("hello", "lo", 99), -1);
  EXPECT_EQ(index_of("hello", "", 2), 2);
  EXPECT_EQ(index_of("hello", "", 99), 5);
  EXPECT_EQ(index_of("hello", "", -1), 0);
  EXPECT_EQ(index_of("", "", 0), 0);
  EXPECT_EQ(index_of("", "a", 0), -1);
}

TEST(Strings, RindexIsWherePerlFindsIt) {
  EXPECT_EQ(last_index_of("hello hello", "lo", 99), 9);
  EXPECT_EQ(last_index_of("hello hello", "lo", 8), 3);
  EXPECT_EQ(last_index_of("hello", "he", 0), 0);
  EXPECT_EQ(last_index_of("hello", "he", -1), -1);
  EXPECT_EQ(last_index_of("hello", "", -1), 0);
  EXPECT_EQ(last_index_of("hello", "", 99), 5);
}

TEST(Strings, CharactersAreFoundAndTheNulIsAtTheEnd) {
  EXPECT_EQ(find_char("a/b/c", '/'), 1);
  EXPECT_EQ(find_last_char("a/b/c", '/'), 3);
  EXPECT_EQ(find_char("abc", 'x'), -1);
  EXPECT_EQ(find_char("abc", 0), 3);
  EXPECT_EQ(find_last_char("abc", 0), 3);
}

TEST(Strings, SubstringsCountFromBothEnds) {
  EXPECT_EQ(substring("abcdef", 2, 3), "cde");
  EXPECT_EQ(substring("abcdef", 2, INT64_MAX), "cdef");
  EXPECT_EQ(substring("abcdef", -2, 1), "e");
  EXPECT_EQ(substring("abcdef", -9, 5), "ab");
  EXPECT_EQ(substring("abcdef", -9, 2), "");
  EXPECT_EQ(substring("abcdef", 1, -2), "bcd");
  EXPECT_EQ(substring("abcdef", 1, -9), "");
  EXPECT_EQ(substring("abcdef", 6, 1), "");
  EXPECT_EQ(substring("abcdef", INT64_MIN, INT64_MAX), "abcdef")
      << "as far back as there are bytes";
}

TEST(Strings, PathsHaveABaseAndADirectory) {
  const char* const cases[][3] = {
      {"/usr/lib", "lib", "/usr"},
      {"/usr/", "usr", "/"},
      {"usr", "usr", "."},
      {"/", "/", "/"},
      {"//", "/", "/"},
      {"", ".", "."},
      {".", ".", "."},
      {"a//b//", "b", "a"},
  };
  for (const auto& [path, base, directory] : cases) {
    EXPECT_EQ(base_name(path), base) << path;
    EXPECT_EQ(directory_name(path), directory) << path;
  }
}

TEST(Strings, PathsAreCleaned) {
  const char* const cases[][2] = {
      {"/foo/bar/baz", "/foo/bar/baz"},
      {"//foo///bar/", "/foo/bar/"},
      {"/foo/./bar/././baz", "/foo/bar/baz"},
      {"/foo/bar/../baz", "/foo/baz"},
      {"/foo/../../baz", "/baz"},
      {"/foo/bar/..", "/foo/"},
      {"/foo/.", "/foo/."},
      {"/foo/...", "/foo/..."},
      {"../foo", "../foo"},
      {"", ""},
  };
  for (const auto& [path, clean] : cases) EXPECT_EQ(clean_path(path), clean) << path;
}

TEST(Strings, NumbersAreWrittenAsLltostrDoes) {
  EXPECT_EQ(to_text(0, 10), "0");
  EXPECT_EQ(to_text(INT64_MIN, 10), "-9223372036854775808");
  EXPECT_EQ(to_text(255, 16), "0xff");
  EXPECT_EQ(to_text(0, 16), "0x0");
  EXPECT_EQ(to_text(8, 8), "010");
  EXPECT_EQ(to_text(0, 8), "0");
  EXPECT_EQ(to_text(-1, 2), std::string(64, '1'));
  EXPECT_EQ(to_text(35, 36), "z");
}

TEST(Strings, NumbersAreReadAsStrtollDoes) {
  EXPECT_EQ(to_number("12j", 10), 12);
  EXPECT_EQ(to_number("", 10), 0);
  EXPECT_EQ(to_number(" \t-12", 10), -12);
  EXPECT_EQ(to_number("+7", 10), 7);
  EXPECT_EQ(to_number("0xFfg", 16), 255);
  EXPECT_EQ(to_number("0xg", 16), 0);
  EXPECT_EQ(to_number("zz", 36), 35 * 36 + 35);
  EXPECT_EQ(to_number("18446744073709551617", 10), 1) << "it wraps";
}

TEST(Strings, TokensLeaveOutWhatIsEmpty) {
  Tokens tokens;
  start_tokens(tokens, "//usr//lib/x");
  EXPECT_EQ(next_token(tokens, "/"), "usr");
  EXPECT_EQ(next_token(tokens, "/i"), "l");
  EXPECT_EQ(next_token(tokens, "/"), "ib");
  EXPECT_EQ(next_token(tokens, ""), "/x");
  EXPECT_EQ(next_token(tokens, "/"), "");
  EXPECT_EQ(next_token(tokens, "/"), "");
}

// The element, or "NULL".
std::string json(std::string_view text, std::string_view selector) {
  const std::int64_t span = json_span(text, selector);
  return span < 0 ? "NULL" : std::string(part(text, span));
}

TEST(Strings, JsonElementsAreSelected) {
  const char kText[] = R"({"a": {"b": [1, -2.5e3, {"c": "x\"y"}]}, "t":true, "n" :null,"e":""})";
  EXPECT_EQ(json(kText, "a.b[0]"), "1");
  EXPECT_EQ(json(kText, "a.b.1"), "-2.5e3");
  EXPECT_EQ(json(kText, "a.b[2].c"), "x\\\"y");
  EXPECT_EQ(json(kText, "a.b[2]"), R"({"c": "x\"y"})");
  EXPECT_EQ(json(kText, "t"), "true");
  EXPECT_EQ(json(kText, "n"), "null");
  EXPECT_EQ(json(kText, "e"), "");
  EXPECT_EQ(json("[[10], 20]", "[1]"), "20");
  EXPECT_EQ(json("[[10], 20]", "0.0"), "10");
}

TEST(Strings, JsonThatIsNotThereIsNull) {
  EXPECT_EQ(json(R"({"a": 1})", "b"), "NULL");
  EXPECT_EQ(json(R"({"a": 1})", "a.b"), "NULL");
  EXPECT_EQ(json(R"({"a": 1})", ""), "NULL");
  EXPECT_EQ(json("[1, 2]", "2"), "NULL");
  EXPECT_EQ(json("[1, 2]", "x"), "NULL");
  EXPECT_EQ(json("12", "a"), "NULL");
  EXPECT_EQ(json("{}", "a"), "NULL");
}

TEST(Strings, JsonErrorsMatterBeforeTheElementOnly) {
  EXPECT_EQ(json(R"({"a": 0x10, "b": 1})", "b"), "NULL");
  EXPECT_EQ(json(R"({"a": hello, "b": 1})", "b"), "NULL");
  EXPECT_EQ(json(R"({"a" 1, "b": 1})", "b"), "NULL");
  EXPECT_EQ(json(R"({"b": 1, hello)", "b"), "1");
  EXPECT_EQ(json(R"({"b": 1)", "b"), "NULL") << "there might be more digits";
  EXPECT_EQ(json(R"({"b": "x)", "b"), "NULL");
}

}  // namespace
}  // namespace dt::ir

// Patterns, globs and attributes.

#include "probe/probe.h"

#include <gtest/gtest.h>

namespace dt::probe {
namespace {

TEST(Patterns, AreRightAligned) {
  struct Case {
    const char* text;
    Description fields;
  };
  const Case cases[] = {
      {"entry", {"", "", "", "entry"}},
      {"read:entry", {"", "", "read", "entry"}},
      {"vmlinux:read:entry", {"", "vmlinux", "read", "entry"}},
      {"syscall:vmlinux:read:entry", {"syscall", "vmlinux", "read", "entry"}},
      {"syscall:::entry", {"syscall", "", "", "entry"}},
      {"syscall::read:", {"syscall", "", "read", ""}},
      {"syscall:::", {"syscall", "", "", ""}},
      {"BEGIN", {"", "", "", "BEGIN"}},
      {"", {"", "", "", ""}},
      {":::", {"", "", "", ""}},
  };
  for (const Case& test : cases) {
    const auto pattern = parse_pattern(test.text);
    ASSERT_TRUE(pattern.has_value()) << test.text;
    EXPECT_EQ((Description{pattern->provider, pattern->module, pattern->function, pattern->name}),
              test.fields)
        << test.text;
    EXPECT_EQ(to_string(*pattern).empty() ? ":::" : to_string(*pattern),
              *test.text == '\0' ? ":::" : test.text);
  }
}

TEST(Patterns, OfFiveFieldsAreNone) {
  EXPECT_FALSE(parse_pattern("a:b:c:d:e").has_value());
  EXPECT_FALSE(parse_pattern("::::").has_value());
}

TEST(Patterns, WithoutTextAreWrittenInFull) {
  Pattern pattern;
  pattern.provider = "syscall";
  pattern.name = "entry";
  EXPECT_EQ(to_string(pattern), "syscall:::entry");
}

TEST(Globs, MatchAsTheShellDoes) {
  struct Case {
    const char* pattern;
    const char* text;
    bool matches;
  };
  const Case cases[] = {
      {"read", "read", true},
      {"read", "pread", false},
      {"*", "", true},
      {"*", "anything", true},
      {"*read*", "pread64", true},
      {"read*", "pread", false},
      {"?read", "pread", true},
      {"?", "", false},
      {"a*b*c", "axxbyyc", true},
      {"a*b*c", "axxbyy", false},
      {"**a**", "bab", true},
      {"[a-c]x", "bx", true},
      {"[a-c]x", "dx", false},
      {"[!a-c]x", "dx", true},
      {"[!a-c]x", "ax", false},
      {"[]]", "]", true},
      {"[!]]", "]", false},
      {"[!]]", "x", true},
      {"[a-]", "-", true},
      {"[\\]]", "]", true},
      {"[abc", "[abc", true},
      {"[abc", "a", false},
      {"\\*", "*", true},
      {"\\*", "x", false},
      {"a\\?", "a?", true},
      {"tail\\", "tail\\", true},
      {"", "", true},
      {"", "x", false},
      {"*[0-9]", "x7", true},
      {"*[0-9]", "x7y", false},
      {"[!a]", "\xff", true},
      {"[\x80-\xff]", "\xc3", true},
  };
  for (const Case& test : cases) {
    EXPECT_EQ(glob_match(test.pattern, test.text), test.matches)
        << '\'' << test.pattern << "' against '" << test.text << '\'';
  }
}

TEST(Globs, WithManyStarsEndInTime) {
  std::string pattern, text(2000, 'a');
  for (int i = 0; i < 200; ++i) pattern += "a*";
  EXPECT_FALSE(glob_match(pattern + "b", text));
  EXPECT_TRUE(glob_match(pattern, text));
}

TEST(Globs, AreToldFromLiterals) {
  EXPECT_TRUE(is_literal("read"));
  EXPECT_TRUE(is_literal(""));
  for (const char* glob : {"*", "re?d", "[a]", "a\\b"}) EXPECT_FALSE(is_literal(glob)) << glob;
}

TEST(Patterns, MatchFieldByField) {
  const Description read{"syscall", "vmlinux", "read", "entry"};
  for (const char* yes : {"syscall:::", "entry", "read:entry", "sys*::r*:entry",
                          ":::", "syscall:vmlinux:read:entry", "::[pr]ead:"}) {
    EXPECT_TRUE(matches(*parse_pattern(yes), read)) << yes;
  }
  for (const char* no : {"sys:::", "return", "write:entry", "syscall:ext4::", "READ:entry"}) {
    EXPECT_FALSE(matches(*parse_pattern(no), read)) << no;
  }
  EXPECT_EQ(to_string(read), "syscall:vmlinux:read:entry");
  EXPECT_EQ(to_string(Description{"dtrace", "", "", "BEGIN"}), "dtrace:::BEGIN");
}

TEST(Attributes, AreWrittenAsInTheReport) {
  EXPECT_EQ(to_string(Attributes{}), "Private/Private/Unknown");
  EXPECT_EQ(
      to_string(Attributes{Stability::kEvolving, Stability::kStandard, DependencyClass::kIsa}),
      "Evolving/Standard/ISA");
  EXPECT_STREQ(to_string(DependencyClass::kCpu), "CPU");
}

}  // namespace
}  // namespace dt::probe

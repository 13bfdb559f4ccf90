// What a regular expression may be, and what it matches.

#include "stap/meaning/pattern.h"

#include <gtest/gtest.h>

namespace dt::stap {
namespace {

TEST(StapPattern, WhatWouldTakeTooLongIsRefused) {
  const struct {
    const char* pattern;
    const char* why;
  } cases[] = {
      {"a{2}b{500}", ""},
      {"a{2}{501}", "it repeats a part more than 1000 times"},
      {"a{1,1001}", "it repeats a part more than 1000 times"},
      {"a{2}{99999999999999999999}", "it repeats a part more than 1000 times"},
      {"(a)\\1", "references back are not of the language"},
      {"a\\\\1", ""},
  };
  for (const auto& one : cases) EXPECT_EQ(check_pattern(one.pattern), one.why) << one.pattern;
  EXPECT_NE(check_pattern("(a"), "");
}

TEST(StapPattern, TheLongestOfTheLeftmostTextsMatches) {
  const Pattern pattern("(a|ab)(c|bcd)?");
  EXPECT_EQ(pattern.match("xabcd"), (std::vector<std::string>{"abcd", "a", "bcd"}));
  EXPECT_TRUE(pattern.match("xyz").empty());
}

}  // namespace
}  // namespace dt::stap

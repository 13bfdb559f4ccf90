// Notes of headers of dtrace -h, well-formed and not.

#include "symbol/elf/usdt_types.h"

#include <elf.h>
#include <gtest/gtest.h>

namespace dt::symbol {
namespace {

// `body` without its last NUL, which a text has anyway.
std::string note(std::string body, std::string_view owner = {"dtrace\0", 7},
                 std::uint32_t type = 1) {
  body += '\0';
  const Elf64_Nhdr header{static_cast<std::uint32_t>(owner.size()),
                          static_cast<std::uint32_t>(body.size()), type};
  std::string out(reinterpret_cast<const char*>(&header), sizeof header);
  out += owner;
  out.resize((out.size() + 3) / 4 * 4);
  out += body;
  out.resize((out.size() + 3) / 4 * 4);
  return out;
}

// A text with NULs where `text` has '|'.
std::string with_nuls(std::string text) {
  for (char& c : text) c = c == '|' ? '\0' : c;
  return text;
}

TEST(UsdtTypes, AreReadNoteByNote) {
  const auto all = parse_usdt_types(
      note(with_nuls("srv|go__on|int|const char *||")) + note("other", {"GNU\0", 4}) +
      note(with_nuls("srv|none|||"), {"dtrace\0", 7}, 2) +
      note(with_nuls("srv|mapped|struct req *|int||1 int|0 info_t *|")) +
      note(with_nuls("srv|nothing|int||none|")));
  ASSERT_EQ(all.size(), 3U);
  EXPECT_TRUE(all[2].has_none && all[2].translated.empty());
  EXPECT_FALSE(all[0].has_none || all[1].has_none);
  EXPECT_EQ(all[0].provider, "srv");
  EXPECT_EQ(all[0].name, "go__on");
  EXPECT_EQ(all[0].arguments, (std::vector<std::string>{"int", "const char *"}));
  EXPECT_TRUE(all[0].translated.empty());
  const std::vector<std::pair<std::uint32_t, std::string>> wanted = {{1, "int"}, {0, "info_t *"}};
  EXPECT_EQ(all[1].translated, wanted);
}

TEST(UsdtTypes, TheStabilityOfTheProviderIsBehindThem) {
  const std::string types = "srv|go|int|||";
  const auto stability = [&](const std::string& text) {
    const auto all = parse_usdt_types(note(with_nuls(types + text)));
    return all.size() == 1 ? all[0].stability : std::vector<std::string>{"not read"};
  };
  const std::vector<std::string> five = {"Stable Stable ISA", "a", "b", "c", "d"};
  EXPECT_EQ(stability("Stable Stable ISA|a|b|c|d|"), five);
  const std::vector<std::string> none;
  EXPECT_EQ(stability(""), none);
  EXPECT_EQ(stability("a|b|c|d|"), none);      // one is missing
  EXPECT_EQ(stability("a|b|c|d|e|f|"), none);  // one too many
  EXPECT_EQ(stability("a|b|c|d|\x1b[2J|"), none);
}

TEST(UsdtTypes, WhatIsDamagedSaysNothing) {
  const char* const bodies[] = {
      "",
      "srv",
      "srv|a",
      "srv|a|int",
      "srv|a|int|",
      "srv|a|int||1 int|",   // there is no such argument
      "srv|a|int||x int|",   // a number comes first
      "srv|a|int||0|",       // and a type
      "srv|a|int\x1b[2J||",  // words of C only
      "srv|a|1|2|3|4|5|6|7|8|9|10|11|12|13||",
  };
  for (const char* body : bodies) {
    EXPECT_TRUE(parse_usdt_types(note(with_nuls(body))).empty()) << body;
  }
  const std::string good = note(with_nuls("srv|go|int||"));
  for (std::size_t size = 0; size < good.size(); ++size) {
    EXPECT_TRUE(parse_usdt_types(good.substr(0, size - size % 4)).empty()) << size;
  }
  std::string huge = good;
  huge.replace(4, 4, "\xff\xff\xff\xff");
  EXPECT_TRUE(parse_usdt_types(huge).empty());
}

}  // namespace
}  // namespace dt::symbol

#include "front/outcome.h"

#include <gtest/gtest.h>

#include "front/lines.h"

namespace dt::front {
namespace {

Outcome whole_outcome() {
  Outcome out;
  out.kind = Outcome::Kind::kVariable;
  out.text = "a";
  out.goes_on = true;
  out.by = {"syscall.read", 1763633712123456789, 0, -1, 7};
  out.keys = {{false, -5, ""},
              {true, 0, std::string("x\0\xff", 3)},
              {true, 0, "0x1 0x2", {{"libc.so.6", "read", 5}, {"", "", 0xffffffff81000000}}, true}};
  out.value = {false, INT64_MIN, ""};
  return out;
}

TEST(Outcomes, AreReadAsTheyWereWritten) {
  const Outcome one = whole_outcome();
  EXPECT_EQ(decoded(encoded(one)), one);
  Outcome sums = one;
  sums.value = {};
  sums.statistics = {3, -6, -4, -1, -2};
  sums.is_counted = true;
  EXPECT_EQ(decoded(encoded(sums)), sums);
  for (const auto kind : {Outcome::Kind::kText, Outcome::Kind::kMessage, Outcome::Kind::kCommand}) {
    Outcome text;
    text.kind = kind;
    text.text = "x\n";
    text.histograms = {
        {"s", {{true, 0, "k"}}, false, 0, 0, 0, {{INT64_MIN, 2}, {0, 3}}},
        {"l", {}, true, -4, INT64_MAX, 3, {{-4, 1, true}, {-4, 5}, {INT64_MAX, 1, false, true}}}};
    EXPECT_EQ(decoded(encoded(text)), text);
  }
}

// What is cut is refused, or is another outcome: nothing else happens.
TEST(Outcomes, ThatAreDamagedAreRefused) {
  const std::string bytes = encoded(whole_outcome());
  EXPECT_EQ(decoded(""), std::nullopt);
  int refused = 0;
  for (std::size_t i = 0; i < bytes.size(); ++i) {
    refused += decoded(std::string_view(bytes).substr(0, i)) ? 0 : 1;
    std::string other = bytes;
    other[i] = static_cast<char>(other[i] ^ 0x55);
    static_cast<void>(decoded(other));
  }
  EXPECT_GT(refused, 20);
  Outcome later;
  later.kind = static_cast<Outcome::Kind>(99);
  EXPECT_EQ(decoded(encoded(later)), std::nullopt);
}

TEST(Outcomes, OfAFileThatIsNotOursTakeNoMemoryWithoutEnd) {
  Outcome one;
  one.kind = Outcome::Kind::kVariable;
  one.keys.resize(kMostParts - 1);
  one.keys.front().frames.resize(1);
  EXPECT_EQ(decoded(encoded(one)), one);
  Outcome keys = one, frames = one;
  keys.keys.resize(kMostParts);
  frames.keys.back().frames.resize(1);
  EXPECT_EQ(decoded(encoded(keys)), std::nullopt);
  EXPECT_EQ(decoded(encoded(frames)), std::nullopt);
  Outcome buckets;
  buckets.histograms.resize(1);
  buckets.histograms.front().buckets.resize(kMostParts - 1);
  EXPECT_EQ(decoded(encoded(buckets)), buckets);
  buckets.histograms.resize(2);
  EXPECT_EQ(decoded(encoded(buckets)), std::nullopt);
}

TEST(Outcomes, OfVariablesAreTextAsSystemTapHasIt) {
  Outcome one;
  one.kind = Outcome::Kind::kVariable;
  one.text = "x";
  one.value.number = -3;
  EXPECT_EQ(variable_text(one), "x=-3\n");
  one.value = {true, 0, "a\"\n"};
  one.keys = {{true, 0, "k"}, {false, 1, ""}};
  EXPECT_EQ(variable_text(one), "x[\"k\",1]=\"a\\\"\\n\"\n");
  one.statistics.emplace();
  EXPECT_EQ(variable_text(one), "x[\"k\",1] @count=0x0\n");
  one.statistics = {2, 5, 1, 4, 2};
  EXPECT_EQ(variable_text(one), "x[\"k\",1] @count=2 @min=1 @max=4 @sum=5 @avg=2\n");
}

TEST(Outcomes, HaveTheirHistogramsInTheLineOfTheText) {
  Outcome one;
  one.text = "x";
  one.histograms = {
      {"l", {{false, 7, ""}}, true, 0, 9, 3, {{0, 1, true}, {3, 5}, {10, 2, false, true}}}};
  std::string lines;
  append_line(lines, one);
  EXPECT_EQ(lines,
            "{\"v\":1,\"type\":\"text\",\"time\":0,\"text\":\"x\",\"histograms\":[{\"name\":\"l\","
            "\"keys\":[{\"type\":\"int64\",\"value\":7}],\"kind\":\"linear\",\"low\":0,\"high\":9,"
            "\"width\":3,\"buckets\":[{\"below\":0,\"count\":1},{\"value\":3,\"count\":5},"
            "{\"value\":10,\"above\":true,\"count\":2}]}]}\n");
}

TEST(Outcomes, ThatAreCommandsHaveNoLineOfJson) {
  Outcome one;
  one.text = "x";
  std::string lines;
  append_line(lines, one);
  EXPECT_EQ(lines, "{\"v\":1,\"type\":\"text\",\"time\":0,\"text\":\"x\"}\n");
  one.kind = Outcome::Kind::kCommand;
  append_line(lines, one);
  EXPECT_EQ(lines, "{\"v\":1,\"type\":\"text\",\"time\":0,\"text\":\"x\"}\n");
}

}  // namespace
}  // namespace dt::front

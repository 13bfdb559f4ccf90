#include "exports/term.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <sstream>

namespace dt::exports {
namespace {

record::AggLayout quantized() {
  record::AggLayout layout;
  layout.func = record::AggFunc::kQuantize;
  layout.value_words = record::kQuantizeBuckets;
  return layout;
}

std::vector<std::uint64_t> counts(const std::vector<std::pair<std::int64_t, std::uint64_t>>& of) {
  std::vector<std::uint64_t> words(record::kQuantizeBuckets);
  for (const auto& [value, count] : of) words[record::quantize_bucket(value)] = count;
  return words;
}

TEST(TermHeat, a_line_has_a_cell_for_each_bucket_and_the_sum) {
  const record::AggLayout layout = quantized();
  TermHeat heat(layout, "@ = quantize()", {60, false});
  const std::string none = "      ";
  EXPECT_EQ(heat.line("17:02:03", counts({{1, 1}, {4, 64}})),
            "@ = quantize()\n"
            "              0     1     2     4     8    16\n"
            "17:02:03 " +
                none + "     ." + none + "     @" + none + none + "  65\n");
  // The scale is that of the largest cell so far.
  EXPECT_EQ(heat.line("17:02:04", counts({{4, 8}})),
            "17:02:04 " + none + none + none + "     +" + none + none + "  8\n");
  EXPECT_EQ(heat.line("17:02:05", counts({})),
            "17:02:05 " + none + none + none + none + none + none + "  0\n");
}

TEST(TermHeat, times_take_as_many_columns_as_they_need) {
  const record::AggLayout layout = quantized();
  TermHeat heat(layout, "@", {60, false, 13});
  const std::string none = "      ";
  EXPECT_EQ(heat.line("17:02:03.250", counts({{1, 1}})),
            "@\n" + std::string(13, ' ') + "     0     1     2     4\n17:02:03.250 " + none +
                "     @" + none + none + "  1\n");
}

TEST(TermHeat, buckets_are_named_again_when_there_are_others) {
  const record::AggLayout layout = quantized();
  TermHeat heat(layout, "@", {60, false});
  heat.line("1", counts({{4, 1}}));
  EXPECT_EQ(heat.line("2", counts({{8, 1}})).find('\n'),
            heat.line("2", counts({{8, 1}})).size() - 1);
  const std::string wide = heat.line("3", counts({{-1, 2}, {1024, 1}}));
  EXPECT_TRUE(wide.starts_with("@\n")) << wide;
  EXPECT_NE(wide.find("4096"), std::string::npos) << wide;
}

TEST(TermHeat, all_buckets_fit_however_narrow_the_terminal_is) {
  const record::AggLayout layout = quantized();
  // Neighbours are one cell where there is no room; the sum is exact.
  for (const auto& [columns, in_cell] : {std::pair{20U, 26U}, {80U, 3U}, {1000U, 1U}}) {
    TermHeat heat(layout, "", {columns, false});
    const std::string text = heat.line("1", std::vector<std::uint64_t>(layout.value_words, 1));
    const auto most = static_cast<std::ptrdiff_t>(layout.value_words / in_cell);
    EXPECT_EQ(std::count(text.begin(), text.end(), '@'), most) << text;
    EXPECT_NE(text.find("  127\n"), std::string::npos) << text;
    std::istringstream lines(text);
    for (std::string line; std::getline(lines, line);) EXPECT_LE(line.size(), columns) << line;
  }
}

TEST(TermHeat, the_scale_is_of_cells_also_where_they_are_of_several_buckets) {
  const record::AggLayout layout = quantized();
  TermHeat heat(layout, "", {20, false});
  heat.line("1", std::vector<std::uint64_t>(layout.value_words, 1));
  const std::string text = heat.line("2", counts({{1, 13}}));
  EXPECT_EQ(text.find('@'), std::string::npos) << text;
  EXPECT_TRUE(text.ends_with("  13\n")) << text;
}

TEST(TermHeat, colours_change_nothing_else) {
  const record::AggLayout layout = quantized();
  const std::vector<std::uint64_t> words = counts({{1, 3}, {2, 50}});
  std::string coloured = TermHeat(layout, "@", {80, true}).line("1", words);
  EXPECT_NE(coloured.find("\x1b[48;5;228m"), std::string::npos);
  for (std::size_t at; (at = coloured.find('\x1b')) != std::string::npos;) {
    coloured.erase(at, coloured.find('m', at) - at + 1);
  }
  EXPECT_EQ(coloured, TermHeat(layout, "@", {80, false}).line("1", words));
}

TEST(TermHeat, levels_grow_with_the_logarithm) {
  EXPECT_EQ(heat_level(0, 100), 0U);
  EXPECT_EQ(heat_level(1, 100), 1U);
  EXPECT_EQ(heat_level(100, 100), 9U);
  EXPECT_EQ(heat_level(1, 1), 9U);
  std::size_t before = 0;
  for (std::uint64_t count = 0; count <= 1000; ++count) {
    EXPECT_GE(heat_level(count, 1000), before);
    before = heat_level(count, 1000);
  }
}

std::string flame_of(const std::vector<std::pair<std::vector<std::string>, std::int64_t>>& stacks,
                     std::size_t columns) {
  view::FrameTree tree;
  for (const auto& [names, weight] : stacks) {
    std::vector<std::uint32_t> numbers;
    for (const std::string& name : names) {
      numbers.push_back(tree.number({name, view::Code::kUser}));
    }
    tree.add(numbers, weight);
  }
  return term_flame(tree, {columns, false});
}

TEST(TermFlame, frames_hang_below_their_callers_as_wide_as_their_shares) {
  EXPECT_EQ(flame_of({{{"main", "read"}, 3}, {{"main", "write"}, 1}, {{"other"}, 4}}, 40),
            "|all 8\n"
            "|main               |other\n"
            "|read          |writ\n");
}

TEST(TermFlame, what_falls_between_two_characters_is_left_out) {
  EXPECT_EQ(flame_of({{{"a"}, 1000}, {{"b"}, 1}, {{"c"}, 999}}, 20), "|all 2000\n|a        |c\n");
  EXPECT_EQ(flame_of({}, 20), "|all 0\n");
  EXPECT_EQ(flame_of({{{"\x1b[2J\n"}, 1}}, 20).find('\x1b'), std::string::npos);
}

}  // namespace
}  // namespace dt::exports

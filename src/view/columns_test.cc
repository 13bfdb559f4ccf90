#include "view/columns.h"

#include <gtest/gtest.h>

namespace dt::view {
namespace {

using Elements = std::map<std::string, Columns::Words>;

consumer::Bytes bytes_of(const std::string& key) {
  return {reinterpret_cast<const std::uint8_t*>(key.data()), key.size()};
}

record::AggLayout of_two_words() {
  record::AggLayout layout;
  layout.value_words = 2;
  return layout;
}

// A record whose actions find `before` and leave `after`.
Elements column(Columns& columns, const Elements& before, const Elements& after) {
  for (const auto& [key, words] : before) columns.found(bytes_of(key), words, false);
  columns.begin_left();
  for (const auto& [key, words] : after) columns.left(bytes_of(key), words);
  return columns.take();
}

TEST(ViewColumns, a_column_is_what_was_added) {
  const record::AggLayout layout = of_two_words();
  Columns columns(layout);
  EXPECT_EQ(column(columns, {{"a", {3, 0}}}, {{"a", {3, 0}}}), (Elements{{"a", {3, 0}}}));
  EXPECT_EQ(column(columns, {{"a", {5, 1}}, {"b", {1, 1}}}, {{"a", {5, 1}}, {"b", {1, 1}}}),
            (Elements{{"a", {2, 1}}, {"b", {1, 1}}}));
  EXPECT_EQ(column(columns, {{"a", {5, 1}}, {"b", {1, 1}}}, {}), Elements{});
}

TEST(ViewColumns, a_new_key_is_in_one_column_although_nothing_was_added_to_it) {
  const record::AggLayout layout = of_two_words();
  Columns columns(layout);
  const Columns::Words none = {0, 0};
  columns.found(bytes_of("a"), none, true);
  columns.found(bytes_of("a"), none, false);  // another record, before the column ends
  columns.found(bytes_of("b"), none, false);
  EXPECT_EQ(columns.take(), (Elements{{"a", none}}));
  columns.found(bytes_of("a"), none, false);
  EXPECT_EQ(columns.take(), Elements{});
}

TEST(ViewColumns, what_is_cleared_or_truncated_is_counted_once) {
  const record::AggLayout layout = of_two_words();
  Columns columns(layout);
  EXPECT_EQ(column(columns, {{"a", {7, 0}}, {"b", {2, 0}}}, {{"a", {0, 0}}}),
            (Elements{{"a", {7, 0}}, {"b", {2, 0}}}));
  EXPECT_EQ(column(columns, {{"a", {5, 0}}}, {{"a", {5, 0}}}), (Elements{{"a", {5, 0}}}));
  EXPECT_EQ(column(columns, {{"a", {9, 0}}, {"b", {1, 0}}}, {}),
            (Elements{{"a", {4, 0}}, {"b", {1, 0}}}));
}

TEST(ViewColumns, the_columns_together_are_all_that_was_counted) {
  const record::AggLayout layout = of_two_words();
  Columns columns(layout);
  std::uint64_t counted = 0, shown = 0, value = 0;
  for (std::uint64_t i = 0; i < 100; ++i) {
    value += i;
    counted += i;
    const bool clears = i % 7 == 0;
    for (const auto& [key, words] :
         column(columns, {{"a", {value, 0}}}, {{"a", {clears ? 0 : value, 0}}})) {
      shown += words[0];
    }
    if (clears) value = 0;
  }
  EXPECT_EQ(shown, counted);
}

TEST(ViewCatchUp, a_firing_at_once_behind_another_makes_up_for_one_that_was_late) {
  CatchUp ticks;
  std::vector<std::int64_t> columns;
  for (const std::int64_t time : {100, 200, 300, 730, 731, 732, 733, 800, 900}) {
    if (!ticks.is_at_once(time)) columns.push_back(time);
  }
  EXPECT_EQ(columns, (std::vector<std::int64_t>{100, 200, 300, 730, 800, 900}));
}

TEST(ViewCatchUp, firings_whose_times_are_not_known_are_not_at_once) {
  CatchUp ticks;
  for (int i = 0; i < 5; ++i) EXPECT_FALSE(ticks.is_at_once(0));
}

TEST(ViewCatchUp, a_clock_that_is_set_back_does_not_end_the_columns) {
  CatchUp ticks;
  for (const std::int64_t time : {1000, 1100, 1200}) EXPECT_FALSE(ticks.is_at_once(time));
  int columns = 0;
  for (std::int64_t time = 500; time < 1000; time += 100) columns += ticks.is_at_once(time) ? 0 : 1;
  EXPECT_EQ(columns, 5);
}

}  // namespace
}  // namespace dt::view

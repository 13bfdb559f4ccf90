#include "page/kept_lines.h"

#include <fmt/core.h>
#include <gtest/gtest.h>

#include <algorithm>

namespace dt::page {
namespace {

std::string column(std::uint64_t time, const std::string& rows) {
  return fmt::format("{{\"v\":1,\"type\":\"column\",\"aggregation\":0,\"time\":{},\"rows\":[{}]}}",
                     time, rows);
}

std::vector<std::string> all(const KeptLines& lines) {
  std::vector<std::string> out;
  lines.each([&](std::string_view line) { out.emplace_back(line); });
  return out;
}

TEST(KeptLines, columns_that_are_merged_have_the_sums_of_both) {
  EXPECT_EQ(merged_columns(column(1, "[0,3],[2,1]"), column(2, "[0,4],[1,5]"), true),
            column(2, "[0,7],[1,5],[2,1]"));
  EXPECT_EQ(merged_columns(column(1, "[0,[5,1,7,2]]"),
                           column(2, "[0,[6,1,7,\"9007199254740993\"]]"), true),
            column(2, "[0,[5,1,6,1,7,\"9007199254740995\"]]"));
  EXPECT_EQ(merged_columns(column(1, ""), column(2, "[3,-4]"), true), column(2, "[3,-4]"));
  EXPECT_EQ(merged_columns(column(1, "[0,9007199254740992]"), column(2, "[0,1]"), true),
            column(2, "[0,\"9007199254740993\"]"));
  // Averages are not added up: the later one stays.
  EXPECT_EQ(merged_columns(column(1, "[0,3]"), column(2, "[0,4]"), false), column(2, "[0,4]"));
}

TEST(KeptLines, of_a_day_of_columns_a_few_thousand_stay_and_all_sums) {
  KeptLines lines;
  lines.add("{\"v\":1,\"type\":\"plan\",\"aggregations\":[{\"adds_up\":true}]}");
  constexpr std::uint64_t kSeconds = 86'400;
  for (std::uint64_t i = 1; i <= kSeconds; ++i) lines.add(column(i, "[0,1]"));
  std::uint64_t sum = 0, count = 0, last = 0;
  for (const std::string& line : all(lines)) {
    unsigned long long time = 0, value = 0;
    if (std::sscanf(
            line.c_str(),
            "{\"v\":1,\"type\":\"column\",\"aggregation\":0,\"time\":%llu,\"rows\":[[0,%llu", &time,
            &value) != 2) {
      continue;
    }
    EXPECT_GT(time, last);
    last = time;
    sum += value;
    ++count;
  }
  EXPECT_EQ(sum, kSeconds);
  EXPECT_EQ(last, kSeconds);
  EXPECT_LE(count, KeptLines::kMostColumns);
}

TEST(KeptLines, what_is_said_again_is_kept_once) {
  KeptLines lines;
  const std::vector<std::string> said = {
      "{\"v\":1,\"type\":\"plan\",\"aggregations\":[]}",
      "{\"v\":1,\"type\":\"drops\",\"time\":1,\"total\":0,\"kinds\":{}}",
      "{\"v\":1,\"type\":\"drops\",\"time\":2,\"total\":0,\"kinds\":{}}",
      "{\"v\":1,\"type\":\"drops\",\"time\":3,\"total\":0,\"kinds\":{}}",
      "{\"v\":1,\"type\":\"drops\",\"time\":4,\"total\":7,\"kinds\":{\"PRINCIPAL\":7}}",
      "{\"v\":1,\"type\":\"rows\",\"aggregation\":0,\"normal\":1,\"rows\":[[0,1]]}",
      "{\"v\":1,\"type\":\"rows\",\"aggregation\":0,\"normal\":1,\"rows\":[[0,2]]}",
      "{\"v\":1,\"type\":\"record\",\"layout\":0}",
      "not one of ours",
      "{\"v\":1,\"type\":\"end\",\"time\":3,\"status\":0}"};
  for (const std::string& line : said) lines.add(line);
  EXPECT_EQ(all(lines), (std::vector<std::string>{said[0], said[8], said[7], said[6], said[1],
                                                  said[3], said[4], said[9]}));
}

TEST(KeptLines, of_drops_that_go_on_for_days_some_stay_and_the_last) {
  KeptLines lines;
  const auto drops = [](int i) {
    return fmt::format("{{\"v\":1,\"type\":\"drops\",\"time\":{},\"total\":{},\"kinds\":{{}}}}", i,
                       i);
  };
  constexpr int kTimes = 100'000;
  for (int i = 1; i <= kTimes; ++i) lines.add(drops(i));
  const std::vector<std::string> kept = all(lines);
  EXPECT_LE(kept.size(), 2 * KeptLines::kMostColumns);
  EXPECT_EQ(kept.back(), drops(kTimes));
}

std::string record(std::size_t number) {
  return fmt::format("{{\"v\":1,\"type\":\"record\",\"time\":{},\"values\":[{}]}}", number,
                     std::string(100, '1'));
}

TEST(KeptLines, who_reads_a_state_sees_it_as_of_its_moment_and_shares_its_blocks) {
  KeptLines lines;
  constexpr std::size_t kFirst = 10'000;
  for (std::size_t i = 0; i < kFirst; ++i) lines.add(record(i));
  const std::vector<KeptLines::Block> one = lines.state(), other = lines.state();
  ASSERT_GT(one.size(), 2U);
  EXPECT_EQ(one.front().get(), other.front().get());
  lines.add(record(kFirst));
  std::string text;
  for (const KeptLines::Block& block : one) text += *block;
  EXPECT_EQ(static_cast<std::size_t>(std::ranges::count(text, '\n')), kFirst);
  EXPECT_TRUE(text.ends_with(record(kFirst - 1) + "\n"));
  EXPECT_EQ(all(lines).size(), kFirst + 1);
}

TEST(KeptLines,
     of_records_the_latest_stay_and_blocks_that_are_gone_are_counted_while_they_are_read) {
  KeptLines lines;
  constexpr std::size_t kAll = KeptLines::kMostEvents + 200'000;
  std::vector<KeptLines::Block> first;
  for (std::size_t i = 0; i < kAll; ++i) {
    lines.add(record(i));
    if (i == 10'000) first = lines.state();
  }
  const std::vector<std::string> kept = all(lines);
  EXPECT_EQ(kept.back(), record(kAll - 1));
  EXPECT_EQ(kept.front(), record(kAll - kept.size()));
  std::size_t bytes = 0;
  for (const std::string& line : kept) bytes += line.size() + 1;
  EXPECT_LE(bytes, KeptLines::kMostEventBytes);
  EXPECT_GT(bytes + KeptLines::kBlockBytes + record(0).size(), KeptLines::kMostEventBytes);
  EXPECT_GT(lines.held_bytes(), KeptLines::kBlockBytes);
  first.clear();
  EXPECT_EQ(lines.held_bytes(), 0U);
}

TEST(KeptLines, a_million_short_records_are_all_kept) {
  KeptLines lines;
  constexpr std::size_t kAll = KeptLines::kMostEvents + 100'000;
  for (std::size_t i = 0; i < kAll; ++i) {
    lines.add(fmt::format("{{\"v\":1,\"type\":\"span\",\"begin\":{}}}", i));
  }
  std::size_t count = 0;
  lines.each([&](std::string_view) { ++count; });
  EXPECT_GE(count, KeptLines::kMostEvents);
  EXPECT_LT(count, kAll);
}

}  // namespace
}  // namespace dt::page

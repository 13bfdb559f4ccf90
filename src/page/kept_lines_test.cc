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

}  // namespace
}  // namespace dt::page

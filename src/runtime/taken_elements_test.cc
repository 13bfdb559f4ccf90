// Elements that were taken out of a map keep their sums, however often their keys come.

#include "runtime/taken_elements.h"

#include <gtest/gtest.h>

#include <cstring>
#include <map>
#include <utility>

namespace dt::runtime {
namespace {

using Sums = std::map<std::pair<std::uint64_t, std::uint32_t>, std::uint64_t>;  // by key and CPU

struct Sum {
  Sum() {
    layout.func = record::AggFunc::kSum;
    layout.key_bytes = 8;
    layout.value_words = 1;
  }
  void add(std::uint64_t key, std::uint16_t cpu, std::uint64_t word) {
    std::uint8_t bytes[8];
    std::memcpy(bytes, &key, sizeof bytes);
    elements.add(bytes, cpu, std::span(&word, 1));
  }
  Sums sums() {
    Sums all;
    visited = 0;
    elements.each([&](std::span<const std::uint8_t> key, std::uint32_t cpu,
                      std::span<const std::uint64_t> words) {
      std::uint64_t number = 0;
      std::memcpy(&number, key.data(), sizeof number);
      all[{number, cpu}] += words[0];
      ++visited;
    });
    return all;
  }
  record::AggLayout layout;
  TakenElements elements{layout};
  std::size_t visited = 0;
};

TEST(TakenElements, OfFewKeysThatComeOftenFewAreKept) {
  Sum sum;
  constexpr std::uint64_t kTimes = 50'000;
  for (std::uint64_t i = 0; i < kTimes; ++i) {
    sum.add(7, 0, 1);
    sum.add(7, 1, 2);
    sum.add(8, 1, 3);
  }
  EXPECT_EQ(sum.sums(), (Sums{{{7, 0}, kTimes}, {{7, 1}, 2 * kTimes}, {{8, 1}, 3 * kTimes}}));
  EXPECT_LT(sum.visited, kTimes / 4);
}

TEST(TakenElements, OfManyKeysAllAreKept) {
  Sum sum;
  constexpr std::uint64_t kKeys = 20'000;
  for (std::uint64_t round = 0; round < 3; ++round) {
    for (std::uint64_t key = 0; key < kKeys; ++key) sum.add(key, 0, key);
  }
  const Sums sums = sum.sums();
  ASSERT_EQ(sums.size(), kKeys);
  for (const auto& [key, value] : sums) ASSERT_EQ(value, 3 * key.first);
  EXPECT_LE(sum.visited, 2 * kKeys + 1);
}

TEST(TakenElements, ThoseThatWereGivenAwayAreGone) {
  Sum sum;
  sum.add(7, 0, 1);
  sum.elements.clear();
  sum.add(8, 0, 1);
  EXPECT_EQ(sum.sums(), (Sums{{{8, 0}, 1}}));
}

}  // namespace
}  // namespace dt::runtime

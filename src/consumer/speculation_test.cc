// Speculations in the consumer: what is kept, what is over, what is lost.

#include "consumer/speculation.h"

#include <gtest/gtest.h>

#include "record/speculation.h"

namespace dt::consumer {
namespace {

using Record = std::vector<std::uint8_t>;

constexpr std::int32_t id(std::uint64_t n, std::uint32_t slot, std::uint32_t count) {
  return static_cast<std::int32_t>(n % record::generations(count) * count + slot + 1);
}

TEST(Speculations, GiveBackWhatWasCommittedInOrder) {
  Speculations speculations(2, 100);
  speculations.add(1, Record{1});
  speculations.add(2, Record{2});
  speculations.add(1, Record{3});
  EXPECT_EQ(speculations.commit(1), (std::vector<Record>{{1}, {3}}));
  EXPECT_EQ(speculations.commit(2), (std::vector<Record>{{2}}));
  EXPECT_EQ(speculations.drops(), 0u);
}

TEST(Speculations, AreOverOnceAndStaySo) {
  Speculations speculations(1, 100);
  speculations.add(1, Record{1});
  speculations.discard(1);
  EXPECT_TRUE(speculations.commit(1).empty());
  speculations.add(1, Record{2});  // on its way when it was discarded
  EXPECT_TRUE(speculations.commit(1).empty());
  speculations.commit(2);
  speculations.add(2, Record{3});  // its first, and late
  speculations.add(3, Record{4});
  EXPECT_EQ(speculations.commit(3), (std::vector<Record>{{4}}));
  EXPECT_EQ(speculations.drops(), 0u);
}

TEST(Speculations, OfNoIdAreNothing) {
  Speculations speculations(1, 100);
  for (const std::int32_t none : {0, -1, -2147483647 - 1}) {
    speculations.add(none, Record{1});
    EXPECT_TRUE(speculations.commit(none).empty());
  }
  Speculations without(0, 100);
  without.add(1, Record{1});
  EXPECT_TRUE(without.commit(1).empty());
}

TEST(Speculations, DropWhatDoesNotFit) {
  Speculations speculations(1, 10);
  speculations.add(1, Record(6));
  speculations.add(1, Record(6));
  speculations.add(1, Record(4));
  EXPECT_EQ(speculations.drops(), 1u);
  EXPECT_EQ(speculations.commit(1).size(), 2u);
  speculations.add(2, Record(10));  // there is room again
  EXPECT_EQ(speculations.drops(), 1u);
}

TEST(Speculations, CountWhatTheRingLostTheEndOf) {
  Speculations speculations(1, 100);
  speculations.add(1, Record{1});
  speculations.add(1, Record{2});
  speculations.add(2, Record{3});
  EXPECT_EQ(speculations.drops(), 2u);
  EXPECT_EQ(speculations.commit(2), (std::vector<Record>{{3}}));
}

TEST(Speculations, KeepTheirOrderWhenIdsComeRoundAgain) {
  constexpr std::uint32_t kCount = 3;
  const std::uint64_t last = record::generations(kCount) - 1;
  EXPECT_GT(id(last, 2, kCount), 0);
  EXPECT_TRUE(record::is_later(id(last + 1, 1, kCount), id(last, 1, kCount), kCount));
  EXPECT_FALSE(record::is_later(id(last, 1, kCount), id(last + 1, 1, kCount), kCount));
  EXPECT_FALSE(record::is_later(id(5, 1, kCount), id(5, 1, kCount), kCount));
  Speculations speculations(kCount, 100);
  speculations.add(id(last, 1, kCount), Record{1});
  speculations.discard(id(last, 1, kCount));
  speculations.add(id(last + 2, 1, kCount), Record{2});
  EXPECT_EQ(speculations.commit(id(last + 2, 1, kCount)), (std::vector<Record>{{2}}));
}

}  // namespace
}  // namespace dt::consumer

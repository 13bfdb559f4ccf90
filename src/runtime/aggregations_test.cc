// Reading aggregations from a kernel made of memory.

#include "runtime/aggregations.h"

#include <gtest/gtest.h>

#include <cerrno>
#include <cstring>
#include <map>

#include "testing/kernel/fake.h"

namespace dt::runtime {
namespace {

using kernel::FakeKernel;
using Words = std::vector<std::uint64_t>;
using Elements = std::map<std::uint64_t, Words>;  // by key; keyless is key 0

std::vector<std::uint8_t> bytes_of(const Words& words) {
  std::vector<std::uint8_t> bytes(words.size() * 8);
  std::memcpy(bytes.data(), words.data(), bytes.size());
  return bytes;
}

// Aggregations: 0 keyless, 1 keyless drained, 2 keyed, 3 and 4 keyed drained.
// All have two words and keys of 8 bytes; two CPUs.
class AggregationsTest : public testing::Test {
 protected:
  AggregationsTest() {
    for (const auto& [key_bytes, drained] :
         {std::pair{0U, false}, {0U, true}, {8U, false}, {8U, true}, {8U, true}}) {
      record::AggLayout layout;
      layout.name = fmt::format("a{}", schema_.aggregations.size());
      layout.func = record::AggFunc::kAvg;
      layout.key_bytes = key_bytes;
      layout.value_words = 2;
      layout.drained = drained;
      schema_.aggregations.push_back(layout);
      memory_.aggs.push_back(key_bytes == 0 ? bpf::HashMap{} : bpf::HashMap{16, 16});
    }
    memory_.machine.cpus = 2;
    memory_.percpu_stride = 192;
    memory_.agg_offset = {64, 96, ir::kNone, ir::kNone, ir::kNone};
    memory_.added_offset = 144;
    Sizes sizes;
    sizes.aggregation_bytes = 512;
    maps_.emplace(std::move(Maps::create(kernel_, memory_, sizes).value()));
    aggregations_.emplace(kernel_, memory_, schema_, *maps_);
  }
  // Adds to a keyed aggregation as a program would, in the generation at hand.
  void add(std::uint32_t aggregation, std::uint64_t key, const Words& words) {
    const std::uint64_t generation =
        maps_->control().generation[schema_.aggregations[aggregation].drained ? 1 : 0];
    for (std::uint64_t cpu = 0; cpu < 2; ++cpu) {
      kernel_.put(fmt::format("dt_agg{}", aggregation), bytes_of({generation | cpu << 32, key}),
                  bytes_of({words[cpu * 2], words[cpu * 2 + 1]}));
    }
  }
  // New keys, as a program adds and counts them.
  void add_keys(std::uint32_t aggregation, std::uint64_t first, std::uint64_t count) {
    for (std::uint64_t key = first; key < first + count; ++key) add(aggregation, key, {1, 2, 3, 4});
    for (std::uint32_t cpu = 0; cpu < 2; ++cpu) {
      auto* const counters =
          reinterpret_cast<std::uint64_t*>(maps_->block(cpu) + memory_.added_offset);
      counters[aggregation] += count;
    }
  }
  std::uint64_t room(std::uint32_t aggregation) const {
    return maps_->aggregations()[aggregation].spec.entries;
  }
  std::size_t used(std::uint32_t aggregation) {
    return kernel_.elements(fmt::format("dt_agg{}", aggregation));
  }
  // The value of a joined one is behind that of generation 0 by `distance`.
  void set(std::uint32_t cpu, std::uint32_t aggregation, const Words& words,
           std::uint32_t distance = 0) {
    std::memcpy(maps_->block(cpu) + memory_.agg_offset[aggregation] + distance, words.data(),
                words.size() * 8);
  }
  // A printa() shows them in one line.
  void join(const std::vector<std::uint32_t>& aggregations) {
    record::Action action;
    action.kind = record::ActionKind::kPrinta;
    action.aggregations = aggregations;
    schema_.layouts.emplace_back().actions.push_back(action);
    memory_.joined.add(schema_.aggregations, schema_.layouts);
    aggregations_.emplace(kernel_, memory_, schema_, *maps_);
  }
  Elements read(std::uint32_t aggregation) {
    Elements elements;
    const Status status =
        aggregations_->read(aggregation, [&](std::span<const std::uint8_t> key, std::uint32_t cpu,
                                             std::span<const std::uint64_t> words) {
          std::uint64_t number = 0;
          if (!key.empty()) {
            std::memcpy(&number, key.data(), key.size());
          }
          Words& all = elements[number];
          all.resize(4);
          for (std::size_t i = 0; i < words.size(); ++i) all[cpu * 2 + i] += words[i];
        });
    error_ = status.ok() ? std::string() : status.error().text;
    return elements;
  }

  FakeKernel kernel_{2};
  bpf::Memory memory_;
  record::Schema schema_;
  std::optional<Maps> maps_;
  std::optional<Aggregations> aggregations_;
  std::string error_;
};

TEST_F(AggregationsTest, AKeylessOneWithoutDataIsNotVisited) {
  EXPECT_EQ(read(0), Elements{});
  EXPECT_EQ(read(1), Elements{});
}

TEST_F(AggregationsTest, AKeylessOneGivesTheWordsOfEveryCpuWithoutThePresence) {
  set(1, 0, {3, 30, 1});
  EXPECT_EQ(read(0), (Elements{{0, {0, 0, 3, 30}}}));
  EXPECT_EQ(read(0), (Elements{{0, {0, 0, 3, 30}}}));
}

TEST_F(AggregationsTest, AKeylessSumOfZeroIsThereBecauseItWasRecorded) {
  set(0, 0, {0, 0, 1});
  EXPECT_EQ(read(0), (Elements{{0, {0, 0, 0, 0}}}));
}

TEST_F(AggregationsTest, ADrainedKeylessOneGivesEachAdditionOnce) {
  set(0, 1, {3, 30, 1});
  EXPECT_EQ(read(1), (Elements{{0, {3, 30, 0, 0}}}));
  EXPECT_EQ(read(1), Elements{});
  set(0, 1, {1, 7, 0});  // its presence was taken by the read before
  EXPECT_EQ(read(1), (Elements{{0, {1, 7, 0, 0}}}));
}

TEST_F(AggregationsTest, WhatIsReadInOneMomentIsOfOneGeneration) {
  join({1, 3});
  constexpr std::uint32_t kSecond = 3 * 8;
  set(0, 1, {3, 30, 1});
  add(3, 5, {1, 2, 3, 4});
  add(4, 6, {5, 6, 7, 8});
  aggregations_->begin_moment();
  EXPECT_EQ(read(3), (Elements{{5, {1, 2, 3, 4}}}));
  // Meanwhile programs add to the next generation.
  set(0, 1, {1, 7, 1}, kSecond);
  add(3, 5, {1, 1, 1, 1});
  add(4, 6, {2, 2, 2, 2});
  EXPECT_EQ(read(1), (Elements{{0, {3, 30, 0, 0}}}));
  EXPECT_EQ(read(3), Elements{});
  EXPECT_EQ(read(4), (Elements{{6, {5, 6, 7, 8}}}));
  aggregations_->end_moment();
  aggregations_->begin_moment();
  EXPECT_EQ(read(1), (Elements{{0, {1, 7, 0, 0}}}));
  EXPECT_EQ(read(3), (Elements{{5, {1, 1, 1, 1}}}));
  EXPECT_EQ(read(4), (Elements{{6, {2, 2, 2, 2}}}));
  aggregations_->end_moment();
  EXPECT_EQ(read(1), Elements{});
}

TEST_F(AggregationsTest, OutsideOfAMomentEachReadIsOfItsOwn) {
  join({1, 3});
  set(0, 1, {3, 30, 1});
  EXPECT_EQ(read(3), Elements{});
  set(0, 1, {1, 7, 1}, 3 * 8);
  EXPECT_EQ(read(1), (Elements{{0, {4, 37, 0, 0}}}));
}

TEST_F(AggregationsTest, AKeyedOneComesWithoutTheGenerationAndStays) {
  add(2, 5, {1, 2, 3, 4});
  add(2, 6, {5, 6, 7, 8});
  EXPECT_EQ(read(2), (Elements{{5, {1, 2, 3, 4}}, {6, {5, 6, 7, 8}}}));
  EXPECT_EQ(read(2).size(), 2U);
  EXPECT_EQ(kernel_.count(FakeKernel::Call::kGracePeriod), 0U);
}

TEST_F(AggregationsTest, ADrainedOneTakesWhatWasAddedBeforeTheGracePeriodEnded) {
  add(3, 5, {1, 2, 3, 4});
  kernel_.on_grace_period = [this] {
    // A program that had read the old generation is still at work, and one that
    // began after the flip adds to the new one.
    maps_->control().generation[1] ^= 1;
    add(3, 6, {1, 1, 1, 1});
    maps_->control().generation[1] ^= 1;
    add(3, 5, {9, 9, 9, 9});
  };
  EXPECT_EQ(read(3), (Elements{{5, {1, 2, 3, 4}}, {6, {1, 1, 1, 1}}}));
  kernel_.on_grace_period = nullptr;
  EXPECT_EQ(read(3), (Elements{{5, {9, 9, 9, 9}}}));
  EXPECT_EQ(read(3), Elements{});
  EXPECT_EQ(kernel_.elements("dt_agg3"), 0U);
}

TEST_F(AggregationsTest, AFlipForOneKeepsWhatTheOtherHad) {
  add(3, 1, {1, 0, 0, 0});
  add(4, 2, {2, 0, 0, 0});
  EXPECT_EQ(read(3).size(), 1U);
  add(4, 3, {3, 0, 0, 0});
  EXPECT_EQ(read(3), Elements{});
  EXPECT_EQ(read(4), (Elements{{2, {2, 0, 0, 0}}, {3, {3, 0, 0, 0}}}));
  EXPECT_EQ(read(4), Elements{});
}

// Each key is an element for each of the two CPUs.
TEST_F(AggregationsTest, AMapOfWhichHalfIsUsedIsRelieved) {
  const std::uint64_t half = room(2) / 4;
  add_keys(2, 0, half);
  EXPECT_TRUE(aggregations_->relieve().ok());
  EXPECT_EQ(used(2), half * 2);
  EXPECT_EQ(kernel_.count(FakeKernel::Call::kGracePeriod), 0U);
  add_keys(2, half, 1);
  EXPECT_TRUE(aggregations_->relieve().ok());
  EXPECT_EQ(used(2), 0U);
  EXPECT_TRUE(aggregations_->relieve().ok());
  EXPECT_EQ(kernel_.count(FakeKernel::Call::kGracePeriod), 1U);
}

TEST_F(AggregationsTest, WhatWasTakenOutIsInEachReadOfOneThatIsKept) {
  for (std::uint64_t first = 0; first < 10 * room(2); first += room(2) / 2) {
    add_keys(2, first, room(2) / 2);
    EXPECT_TRUE(aggregations_->relieve().ok());
    EXPECT_EQ(used(2), 0U);
  }
  EXPECT_EQ(read(2).size(), 10 * room(2));
  add(2, 0, {1, 1, 1, 1});  // of what has been taken out, and of what is new
  EXPECT_EQ(read(2).size(), 10 * room(2));
  EXPECT_EQ(read(2)[0], (Words{2, 3, 4, 5}));
  const std::uint64_t number = 10 * room(2);
  add(2, number, {5, 6, 7, 8});
  EXPECT_EQ(read(2)[number], (Words{5, 6, 7, 8}));
  EXPECT_EQ(read(2)[number], (Words{5, 6, 7, 8}));
}

TEST_F(AggregationsTest, WhatWasTakenOutIsInOneReadOfADrainedOne) {
  for (std::uint64_t first = 0; first < 2 * room(3); first += room(3) / 2) {
    add_keys(3, first, room(3) / 2);
    add_keys(2, first, 1);
    EXPECT_TRUE(aggregations_->relieve().ok());
    EXPECT_EQ(used(3), 0U);
  }
  EXPECT_NE(used(2), 0U);
  EXPECT_EQ(read(3).size(), 2 * room(3));
  EXPECT_EQ(read(3), Elements{});
}

TEST_F(AggregationsTest, MuchThatIsNewMakesTheNextLookComeSooner) {
  for (int i = 0; i < 10; ++i) EXPECT_TRUE(aggregations_->relieve().ok());
  EXPECT_EQ(aggregations_->look_ms(), 1000U);
  add_keys(2, 0, room(2) / 2);
  EXPECT_TRUE(aggregations_->relieve().ok());
  EXPECT_EQ(aggregations_->look_ms(), 250U);
  EXPECT_TRUE(aggregations_->relieve().ok());
  EXPECT_EQ(aggregations_->look_ms(), 500U);
}

TEST_F(AggregationsTest, AFailedReadSaysWhichAndLosesNothing) {
  add(3, 1, {1, 0, 0, 0});
  kernel_.fail(FakeKernel::Call::kForEach, 1, ENOMEM);
  EXPECT_EQ(read(3), Elements{});
  EXPECT_EQ(error_, "read aggregation @a3: for_each dt_agg3: Cannot allocate memory");
  kernel_.fail(FakeKernel::Call::kGracePeriod, 1, EPERM);
  EXPECT_EQ(read(3), Elements{});
  EXPECT_EQ(error_, "read aggregation @a3: wait_grace_period: Operation not permitted");
  Elements all = read(3);
  all.merge(read(3));
  EXPECT_EQ(all, (Elements{{1, {1, 0, 0, 0}}}));
  kernel_.fail(FakeKernel::Call::kForEach, 1, EPERM);
  EXPECT_EQ(read(2), Elements{});
  EXPECT_EQ(error_, "read aggregation @a2: for_each dt_agg2: Operation not permitted");
}

// Aggregation 0 has a kernel stack of ten frames for its key, and 1 likewise, drained.
class StackAggregationsTest : public testing::Test {
 protected:
  StackAggregationsTest() {
    for (const bool drained : {false, true}) {
      record::AggLayout layout;
      layout.name = drained ? "drained" : "kept";
      layout.keys = {{{record::FieldKind::kStack, 80, false}, 0}};
      layout.key_bytes = 80;
      layout.value_words = 1;
      layout.drained = drained;
      schema_.aggregations.push_back(layout);
      memory_.aggs.push_back({16, 8});
      memory_.stacks.push_back({80, drained, 1});
    }
    memory_.percpu_stride = 128;
    memory_.added_offset = 64;
    memory_.agg_offset = {ir::kNone, ir::kNone};
    maps_.emplace(std::move(Maps::create(kernel_, memory_, Sizes{}).value()));
    aggregations_.emplace(kernel_, memory_, schema_, *maps_);
  }
  void add_stack(std::uint32_t table, std::uint64_t number, std::uint64_t frame) {
    Words frames(10);
    frames[0] = frame;
    kernel_.put(fmt::format("dt_stacks{}", table), bytes_of({number}), bytes_of(frames));
  }
  void add(std::uint32_t aggregation, std::uint64_t generation, std::uint64_t number,
           std::uint64_t count) {
    kernel_.put(fmt::format("dt_agg{}", aggregation), bytes_of({generation, number}),
                bytes_of({count}));
  }
  // The counts by innermost frame.
  std::map<std::uint64_t, std::uint64_t> read(std::uint32_t aggregation) {
    std::map<std::uint64_t, std::uint64_t> counts;
    const Status status = aggregations_->read(
        aggregation, [&](std::span<const std::uint8_t> key, std::uint32_t, const auto& words) {
          EXPECT_EQ(key.size(), 80u);
          std::uint64_t frame = 0;
          std::memcpy(&frame, key.data(), 8);
          counts[frame] += words[0];
        });
    error_ = status.ok() ? std::string() : status.error().text;
    return counts;
  }

  FakeKernel kernel_{1};
  bpf::Memory memory_;
  record::Schema schema_;
  std::optional<Maps> maps_;
  std::optional<Aggregations> aggregations_;
  std::string error_;
};

using Counts = std::map<std::uint64_t, std::uint64_t>;

TEST_F(StackAggregationsTest, KeysComeWithTheFramesOfTheirNumbers) {
  add_stack(0, 6, 0xaa);
  add_stack(0, 10, 0xbb);
  add(0, 0, 6, 3);
  add(0, 0, 10, 4);
  EXPECT_EQ(read(0), (Counts{{0xaa, 3}, {0xbb, 4}}));
  EXPECT_EQ(read(0).size(), 2U);
  EXPECT_EQ(kernel_.elements("dt_stacks0"), 2U);
}

TEST_F(StackAggregationsTest, ADrainTakesTheStacksOfItsGenerationAlong) {
  add_stack(1, 6, 0xaa);
  add_stack(1, 7, 0xaa);
  add(1, 0, 6, 3);
  add(1, 1, 7, 5);
  EXPECT_EQ(read(1), (Counts{{0xaa, 3}}));
  EXPECT_EQ(kernel_.elements("dt_stacks1"), 1U);
  EXPECT_EQ(read(1), (Counts{{0xaa, 5}}));
  EXPECT_EQ(kernel_.elements("dt_stacks1"), 0U);
}

TEST_F(StackAggregationsTest, AFailedDrainKeepsTheStacks) {
  add_stack(1, 6, 0xaa);
  add(1, 0, 6, 3);
  kernel_.fail(FakeKernel::Call::kForEach, 1, ENOMEM);
  EXPECT_EQ(read(1), Counts{});
  EXPECT_EQ(kernel_.elements("dt_stacks1"), 1U);
  read(1);
  EXPECT_EQ(read(1), (Counts{{0xaa, 3}}));
}

TEST_F(StackAggregationsTest, AStackThatIsMissingIsSaid) {
  add(0, 0, 6, 3);
  read(0);
  EXPECT_EQ(error_, "read aggregation @kept: a stack is not in its table");
}

}  // namespace
}  // namespace dt::runtime

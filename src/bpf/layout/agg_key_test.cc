// Keys of aggregations: their layout in maps, and back.

#include "bpf/layout/agg_key.h"

#include <gtest/gtest.h>

#include <cstring>
#include <map>

#include "bpf/program/generate_test.h"
#include "record/drop.h"
#include "testing/bpf/interp.h"

namespace dt::bpf {
namespace {

using record::Field;
using record::FieldKind;
using record::FieldType;

record::AggLayout layout_of(const std::vector<FieldType>& types) {
  record::AggLayout agg;
  for (const FieldType& type : types) {
    agg.keys.push_back({type, agg.key_bytes});
    agg.key_bytes += (type.size + 7) / 8 * 8;
  }
  return agg;
}

TEST(AggKey, IsTheLayoutBehindThePrefixWithoutStacks) {
  const AggKey key =
      agg_key(layout_of({{FieldKind::kInt, 4, true}, {FieldKind::kString, 16, false}}));
  EXPECT_EQ(key.offsets, (std::vector<std::uint32_t>{8, 16}));
  EXPECT_EQ(key.bytes, 32u);
  EXPECT_FALSE(key.has_numbers);
}

TEST(AggKey, HasNumbersForLongStacksOnly) {
  const AggKey key = agg_key(layout_of({{FieldKind::kStack, 160, false},
                                        {FieldKind::kUstack, 168, false},
                                        {FieldKind::kStack, 64, false},
                                        {FieldKind::kInt, 8, false}}));
  EXPECT_EQ(key.offsets, (std::vector<std::uint32_t>{8, 16, 32, 96}));
  EXPECT_EQ(key.bytes, 104u);
  EXPECT_TRUE(key.has_numbers);
}

TEST(AggKey, IsMadeWholeFromTheTable) {
  const record::AggLayout agg =
      layout_of({{FieldKind::kUstack, 80, false}, {FieldKind::kInt, 8, false}});
  const std::vector<std::uint64_t> stored = {0, 100, 42, 7};
  const std::span<const std::uint8_t> bytes(reinterpret_cast<const std::uint8_t*>(stored.data()),
                                            32);
  std::vector<std::uint8_t> whole;
  EXPECT_TRUE(whole_key(
      agg, agg_key(agg), bytes,
      [](std::uint32_t size, std::uint64_t number, std::uint8_t* to) {
        EXPECT_EQ(size, 72u);
        EXPECT_EQ(number, 42u);
        const std::uint64_t frames[] = {11, 12};
        std::memcpy(to, frames, sizeof frames);
        return true;
      },
      whole));
  std::vector<std::uint64_t> words(11);
  ASSERT_EQ(whole.size(), 88u);
  std::memcpy(words.data(), whole.data(), 88);
  EXPECT_EQ(words, (std::vector<std::uint64_t>{100, 11, 12, 0, 0, 0, 0, 0, 0, 0, 7}));
  EXPECT_FALSE(whole_key(
      agg, agg_key(agg), bytes, [](auto, auto, auto) { return false; }, whole));
}

// Runs of a program that counts its kernel stacks, in the interpreter.
class StackKeys : public testing::Test {
 protected:
  explicit StackKeys(const std::string& drained = "")
      : g(generate_from("program\nagg @0 \"a\" count [stack160]" + drained + R"(
clause "a" {
  b0:
    %0 : bytes160 = stack
    aggregate @0, %0
    return
}
)",
                        Machine{})),
        world(g.memory, 4) {
    EXPECT_EQ(g.error, "");
    set(offsetof(Control, state), static_cast<std::uint64_t>(State::kActive));
  }

  void set(std::size_t offset, std::uint64_t value) {
    std::memcpy(world.value({MapKind::kGlobals, 0})->data() + offset, &value, 4);
  }
  void fire(const std::vector<std::uint64_t>& frames) {
    world.kernel_stack = frames;
    std::vector<std::uint8_t> context(kContextWords * 8, 0);
    EXPECT_EQ(run(g.object, world, context).error, "");
  }
  std::vector<std::uint64_t> words_at(std::uint64_t address) {
    const std::vector<std::uint8_t>& bytes = *world.memory.bytes(address);
    std::vector<std::uint64_t> words(bytes.size() / 8);
    std::memcpy(words.data(), bytes.data(), bytes.size());
    return words;
  }
  // How often each stack came.
  std::map<std::vector<std::uint64_t>, std::uint64_t> counts() {
    std::map<std::vector<std::uint64_t>, std::uint64_t> found;
    for (const auto& [key, address] : world.map({MapKind::kAgg, 0})->values) {
      std::vector<std::uint64_t> frames =
          words_at(world.map({MapKind::kStacks, 0})->values.at(key.substr(8)));
      while (!frames.empty() && frames.back() == 0) frames.pop_back();
      EXPECT_EQ(found.count(frames), 0u);
      found[frames] = words_at(address)[0];
    }
    return found;
  }
  std::uint64_t drops() {
    std::uint64_t count = 0;
    std::memcpy(&count,
                world.value({MapKind::kPercpu, 0})->data() + g.memory.drops_offset +
                    static_cast<std::size_t>(record::Drop::kAggregation) * 8,
                8);
    return count;
  }

  Generated g;
  World world;
};

TEST_F(StackKeys, AreKeptOnceAndToldApart) {
  std::vector<std::uint64_t> full(20, 3);
  fire({1, 2});
  fire({1, 2, 3});
  fire({1, 2});
  fire({});
  fire(full);
  fire(full);
  EXPECT_EQ(counts(), (std::map<std::vector<std::uint64_t>, std::uint64_t>{
                          {{1, 2}, 2}, {{1, 2, 3}, 1}, {{}, 1}, {full, 2}}));
  EXPECT_EQ(drops(), 0u);
}

TEST_F(StackKeys, WithoutRoomAreDrops) {
  for (std::uint64_t i = 1; i <= 6; ++i) fire({i});
  fire({1});
  EXPECT_EQ(counts().size(), 4u);
  EXPECT_EQ(counts()[{1}], 2u);
  EXPECT_EQ(drops(), 2u);
}

TEST_F(StackKeys, WithOneHashHaveNumbersOfTheirOwn) {
  fire({1, 2});
  ModelMap* const stacks = world.map({MapKind::kStacks, 0});
  ModelMap* const aggs = world.map({MapKind::kAgg, 0});
  // Other frames under the number: what a collision looks like.
  std::vector<std::uint8_t>& entry = *world.memory.bytes(stacks->values.begin()->second);
  entry[0] = 9;
  fire({1, 2});
  fire({1, 2});
  EXPECT_EQ(stacks->values.size(), 2u);
  EXPECT_EQ(aggs->values.size(), 2u);
  EXPECT_EQ(counts(),
            (std::map<std::vector<std::uint64_t>, std::uint64_t>{{{9, 2}, 1}, {{1, 2}, 2}}));
  // A third one finds no number.
  (*world.memory.bytes(std::next(stacks->values.begin())->second))[8] = 9;
  (*world.memory.bytes(stacks->values.begin()->second))[8] = 9;
  fire({1, 2});
  EXPECT_EQ(drops(), 1u);
}

class DrainedStackKeys : public StackKeys {
 protected:
  DrainedStackKeys() : StackKeys(" drained") {}
};

TEST_F(DrainedStackKeys, EachGenerationHasItsOwn) {
  fire({1, 2});
  set(offsetof(Control, generation) + 4, 1);
  fire({1, 2});
  ASSERT_EQ(world.map({MapKind::kStacks, 0})->values.size(), 2u);
  for (const auto& [key, address] : world.map({MapKind::kAgg, 0})->values) {
    EXPECT_EQ(key[0], key[8] & 1);
    EXPECT_EQ(world.map({MapKind::kStacks, 0})->values.count(key.substr(8)), 1u);
  }
}

}  // namespace
}  // namespace dt::bpf

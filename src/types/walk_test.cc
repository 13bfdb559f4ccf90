// What the verifier knows of loads from structures.

#include "types/walk.h"

#include <gtest/gtest.h>

namespace dt::types {
namespace {

class WalkTest : public testing::Test {
 protected:
  WalkTest() {
    Type inner;
    inner.kind = Kind::kStruct;
    inner.name = "inner";
    inner.size = 16;
    inner.members = {{"a", int_, 0, 0}, {"b", catalog_.integer(8, true), 64, 0}};
    inner_ = catalog_.add(inner);
    const TypeId followed = catalog_.pointer_to(inner_);
    Type outer;
    outer.kind = Kind::kStruct;
    outer.name = "outer";
    outer.size = 72;
    outer.members = {{"p", followed, 0, 0},
                     {"low", int_, 64, 3},
                     {"high", int_, 67, 9},
                     {"in", inner_, 128, 0},
                     {"many", catalog_.array_of(followed, 3), 256, 0},
                     {"text", catalog_.pointer_to(catalog_.char_type()), 448, 0},
                     {"user", catalog_.pointer_to(catalog_.userland(inner_)), 512, 0}};
    outer_ = catalog_.add(outer);
  }

  // "scalar", "pointer", "followed" or "refused".
  std::string load(std::uint32_t offset, std::uint32_t size) {
    const std::optional<Step> step = walk(catalog_, outer_, offset, size);
    if (!step) return "refused";
    if (!step->is_pointer) return "scalar";
    return step->target == inner_ ? "followed" : "pointer";
  }

  Catalog catalog_;
  TypeId int_ = catalog_.integer(4, true), inner_, outer_;
};

TEST_F(WalkTest, APointerToAStructureCanBeFollowedWhereAllOfItIsLoaded) {
  EXPECT_EQ(load(0, 8), "followed");
  EXPECT_EQ(load(0, 4), "refused");
  EXPECT_EQ(load(40, 8), "followed");  // many[1]
  EXPECT_EQ(load(44, 8), "refused");
}

TEST_F(WalkTest, APointerToUserMemoryOrToNoStructureIsNotFollowed) {
  EXPECT_EQ(load(64, 8), "pointer");
  EXPECT_EQ(load(56, 8), "pointer");
}

TEST_F(WalkTest, MembersOfMembersAreFound) {
  EXPECT_EQ(load(16, 4), "scalar");
  EXPECT_EQ(load(24, 8), "scalar");
  EXPECT_EQ(load(20, 4), "refused");  // a hole
}

TEST_F(WalkTest, ABitFieldIsLoadedWithAllOfItsBytes) {
  EXPECT_EQ(load(8, 4), "scalar");
  EXPECT_EQ(load(8, 1), "scalar");  // low
  EXPECT_EQ(load(9, 1), "refused");
}

TEST_F(WalkTest, NothingLiesBehindAStructureButAnArrayWithoutASize) {
  EXPECT_EQ(load(72, 4), "refused");
  Type open;
  open.kind = Kind::kStruct;
  open.size = 8;
  open.members = {{"count", int_, 0, 0}, {"items", catalog_.array_of(inner_, 0), 64, 0}};
  const TypeId id = catalog_.add(open);
  EXPECT_TRUE(walk(catalog_, id, 8 + 16 + 8, 8).has_value());
  EXPECT_FALSE(walk(catalog_, id, 8 + 16 + 4, 4).has_value());
  EXPECT_FALSE(walk(catalog_, id, 4, 4).has_value());
}

TEST_F(WalkTest, AStructureThatTheScriptCompletesIsNotFollowed) {
  Type forward;
  forward.kind = Kind::kForward;
  const TypeId own = catalog_.add(forward);
  Type holder;
  holder.kind = Kind::kStruct;
  holder.size = 8;
  holder.members = {{"own", catalog_.pointer_to(own), 0, 0}};
  const TypeId id = catalog_.add(holder);
  catalog_.define(own, catalog_.at(inner_));
  const std::optional<Step> step = walk(catalog_, id, 0, 8);
  ASSERT_TRUE(step.has_value());
  EXPECT_FALSE(step->target.has_value());
}

}  // namespace
}  // namespace dt::types

// Where members of the kernel's structures are, and the reasons if it lacks them.

#include "types/place.h"

#include <gtest/gtest.h>

#include "testing/types/fake_module.h"

namespace dt::types {
namespace {

class PlaceTest : public ::testing::Test {
 protected:
  PlaceTest() {
    FakeModule& kernel = FakeModule::add_to(types_);
    const TypeId number = types_.integer(4, true);
    const TypeId common = kernel.add_struct("sock_common", {{"skc_state", number, 96, 0}});
    const TypeId user = kernel.add_struct("user", {{"id", number, 64, 0}});
    Type nameless;
    nameless.kind = Kind::kStruct;
    nameless.size = 8;
    nameless.members = {{"low", number, 32, 0}};
    kernel.add_struct("sock", {{"__sk_common", common, 64, 0},
                               {"owner", types_.pointer_to(user), 256, 0},
                               {"flag", number, 325, 2},
                               {"wide", number, 358, 5},
                               {"pair", types_.add(std::move(nameless)), 512, 0}});
    FakeModule& module = FakeModule::add_to(types_, "nfs");
    module.add_struct("nfs_server", {{"port", number, 160, 0}});
    module.add_struct("user", {{"id", number, 32, 0}});
  }
  std::string error_of(std::string_view structure, std::string_view path) const {
    const Result<std::vector<Place>> places = find_places(types_, structure, path);
    return places.ok() ? "" : places.error().text;
  }

  Catalog types_;
};

TEST_F(PlaceTest, AMemberWithinMembersIsAtTheSumOfTheirOffsets) {
  const Result<Place> place = find_place(types_, "sock", "__sk_common.skc_state");
  ASSERT_TRUE(place.ok()) << place.error().text;
  EXPECT_EQ(place->offset, 20U);
  EXPECT_EQ(types_.size_of(place->type), 4U);
  EXPECT_EQ(offset_or_none(types_, "sock", "pair.low"), 68);
}

TEST_F(PlaceTest, APointerEndsAPart) {
  const Result<std::vector<Place>> places = find_places(types_, "sock", "owner->id");
  ASSERT_TRUE(places.ok()) << places.error().text;
  ASSERT_EQ(places->size(), 2U);
  EXPECT_EQ((*places)[0].offset, 32U);
  EXPECT_EQ((*places)[1].offset, 8U);
}

TEST_F(PlaceTest, WhatIsMissingIsNamed) {
  EXPECT_EQ(error_of("sock", "sk_protocl"), "this kernel's struct sock has no member sk_protocl");
  EXPECT_EQ(error_of("sock", "__sk_common.skc_net"),
            "this kernel's struct sock_common has no member skc_net");
  EXPECT_EQ(error_of("sock", "owner->name"), "this kernel's struct user has no member name");
  EXPECT_EQ(error_of("sock", "pair.high"),
            "this kernel's struct sock, member pair has no member high");
  EXPECT_EQ(error_of("sock", "flag"), "flag of this kernel's struct sock is a bit-field");
  EXPECT_EQ(error_of("rock", "flag"),
            "this kernel has no struct rock, or no type information for it");
  EXPECT_EQ(offset_or_none(types_, "sock", "flag"), -1);
}

TEST_F(PlaceTest, BitFieldsLieInOneByte) {
  const Result<BitField> flag = find_bit_field(types_, "sock", "flag");
  ASSERT_TRUE(flag.ok()) << flag.error().text;
  EXPECT_EQ(flag->offset, 40U);
  EXPECT_EQ(flag->first, 5U);
  EXPECT_EQ(flag->count, 2U);
  EXPECT_EQ(find_bit_field(types_, "sock", "wide").error().text,
            "wide of this kernel's struct sock is no bit-field of one byte");
  EXPECT_EQ(find_bit_field(types_, "sock", "owner").error().text,
            "owner of this kernel's struct sock is no bit-field of one byte");
}

TEST_F(PlaceTest, AModuleIsAskedBeforeTheKernel) {
  EXPECT_EQ(find_place(types_, "nfs_server", "port", "nfs")->offset, 20U);
  EXPECT_FALSE(find_place(types_, "nfs_server", "port").ok());
  EXPECT_EQ(find_place(types_, "user", "id", "nfs")->offset, 4U);
  EXPECT_EQ(find_place(types_, "sock", "pair.low", "nfs")->offset, 68U);
}

TEST_F(PlaceTest, WhatAScriptDeclaresIsNoStructureOfTheKernel) {
  Type own;
  own.kind = Kind::kStruct;
  own.name = "ours";
  own.members = {{"id", types_.integer(4, true)}};
  types_.declare(Tag::kStruct, "ours", types_.add(std::move(own)));
  EXPECT_FALSE(find_place(types_, "ours", "id").ok());
}

}  // namespace
}  // namespace dt::types

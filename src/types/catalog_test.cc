// The catalogue without any source: built-in types, names, qualifiers, members.

#include <gtest/gtest.h>

#include "types/type.h"

namespace dt::types {
namespace {

TypeId must_find(const Catalog& catalog, std::string_view name, Tag tag = Tag::kNone) {
  const auto id = catalog.find(tag, name);
  EXPECT_TRUE(id.has_value()) << name;
  return id.value_or(catalog.void_type());
}

struct Expected {
  const char* name;
  std::uint32_t size;
  bool is_signed;
};

TEST(BuiltinTypes, HaveTheSizeAndSignOfLp64) {
  const Expected table[] = {
      {"char", 1, true},           {"signed char", 1, true},     {"unsigned char", 1, false},
      {"short", 2, true},          {"unsigned short", 2, false}, {"int", 4, true},
      {"unsigned", 4, false},      {"unsigned int", 4, false},   {"long", 8, true},
      {"unsigned long", 8, false}, {"long long", 8, true},       {"unsigned long long", 8, false},
      {"int8_t", 1, true},         {"uint8_t", 1, false},        {"int16_t", 2, true},
      {"uint16_t", 2, false},      {"int32_t", 4, true},         {"uint32_t", 4, false},
      {"int64_t", 8, true},        {"uint64_t", 8, false},       {"size_t", 8, false},
      {"ssize_t", 8, true},        {"uintptr_t", 8, false},      {"intptr_t", 8, true},
      {"pid_t", 4, true},          {"uid_t", 4, false},          {"gid_t", 4, false},
      {"id_t", 4, true},           {"dev_t", 4, false},          {"uint_t", 4, false},
      {"ulong_t", 8, false},       {"ushort_t", 2, false},       {"uchar_t", 1, false},
      {"longlong_t", 8, true},     {"u_longlong_t", 8, false},   {"_Bool", 1, false},
      {"bool", 1, false},
  };
  const Catalog catalog;
  for (const Expected& expected : table) {
    const Type& type = catalog.resolved(must_find(catalog, expected.name));
    EXPECT_EQ(type.kind, Kind::kInt) << expected.name;
    EXPECT_EQ(type.size, expected.size) << expected.name;
    EXPECT_EQ(type.is_signed, expected.is_signed) << expected.name;
    EXPECT_EQ(catalog.size_of(must_find(catalog, expected.name)), expected.size) << expected.name;
  }
}

TEST(BuiltinTypes, AreFoundUnderEverySpellingOfC) {
  const Catalog catalog;
  EXPECT_EQ(must_find(catalog, "long unsigned int"), must_find(catalog, "unsigned long"));
  EXPECT_EQ(must_find(catalog, "int long unsigned long"), must_find(catalog, "unsigned long long"));
  EXPECT_EQ(must_find(catalog, "short int"), must_find(catalog, "short"));
  EXPECT_EQ(must_find(catalog, "signed"), must_find(catalog, "int"));
  EXPECT_EQ(must_find(catalog, "char unsigned"), must_find(catalog, "unsigned char"));
  EXPECT_NE(must_find(catalog, "signed char"), must_find(catalog, "char"));
}

TEST(BuiltinTypes, RejectWhatCRejects) {
  const Catalog catalog;
  for (const char* name : {"long char", "short long", "unsigned signed int", "long long long",
                           "unsigned float", "short double", "int int", "", " ", "nonsense"}) {
    EXPECT_FALSE(catalog.find(Tag::kNone, name).has_value()) << name;
  }
  EXPECT_FALSE(catalog.find(Tag::kStruct, "int").has_value());
}

TEST(BuiltinTypes, IncludeThoseOfD) {
  const Catalog catalog;
  EXPECT_EQ(must_find(catalog, "string"), catalog.string_type());
  EXPECT_EQ(catalog.at(catalog.string_type()).kind, Kind::kString);
  EXPECT_EQ(catalog.at(must_find(catalog, "void")).kind, Kind::kVoid);
  EXPECT_EQ(catalog.name(catalog.resolve(must_find(catalog, "caddr_t"))), "char *");
  EXPECT_EQ(catalog.integer(8, true), must_find(catalog, "long"));
  EXPECT_EQ(catalog.integer(1, true), catalog.char_type());
}

TEST(TypeNames, AreWrittenAsInC) {
  Catalog catalog;
  const TypeId integer = must_find(catalog, "int");
  const TypeId character = catalog.char_type();
  Type task;
  task.kind = Kind::kStruct;
  task.name = "task_struct";
  const TypeId tag = catalog.add(task);
  Type callback;
  callback.kind = Kind::kFunction;
  callback.target = integer;
  callback.members = {{"text", catalog.pointer_to(catalog.constant(character))},
                      {"task", catalog.pointer_to(tag)}};
  const TypeId function = catalog.add(callback);
  Type anonymous;
  anonymous.kind = Kind::kUnion;

  EXPECT_EQ(catalog.name(integer), "int");
  EXPECT_EQ(catalog.name(catalog.pointer_to(tag)), "struct task_struct *");
  EXPECT_EQ(catalog.name(catalog.array_of(integer, 3)), "int [3]");
  EXPECT_EQ(catalog.name(catalog.array_of(catalog.array_of(integer, 3), 2)), "int [2][3]");
  EXPECT_EQ(catalog.name(catalog.pointer_to(catalog.array_of(integer, 3))), "int (*)[3]");
  EXPECT_EQ(catalog.name(catalog.pointer_to(function)),
            "int (*)(const char *, struct task_struct *)");
  EXPECT_EQ(catalog.name(catalog.constant(catalog.pointer_to(character))), "char *const");
  EXPECT_EQ(catalog.name(catalog.pointer_to(catalog.userland(catalog.constant(character)))),
            "userland const char *");
  EXPECT_EQ(catalog.name(catalog.add(anonymous)), "union {...}");
  EXPECT_EQ(catalog.name(catalog.void_type()), "void");
}

TEST(Types, AreMadeOnceForEachShape) {
  Catalog catalog;
  const TypeId integer = must_find(catalog, "int");
  EXPECT_EQ(catalog.pointer_to(integer), catalog.pointer_to(integer));
  EXPECT_EQ(catalog.array_of(integer, 4), catalog.array_of(integer, 4));
  EXPECT_NE(catalog.array_of(integer, 4), catalog.array_of(integer, 5));
  EXPECT_EQ(catalog.userland(integer), catalog.userland(catalog.userland(integer)));
  EXPECT_EQ(catalog.at(catalog.array_of(integer, 4)).size, 16u);
}

TEST(Types, KeepQualifiersThroughTypedefsAndArrays) {
  Catalog catalog;
  const TypeId user = catalog.userland(must_find(catalog, "uint64_t"));
  EXPECT_TRUE(catalog.at(user).is_userland);
  EXPECT_TRUE(catalog.resolved(user).is_userland);
  const TypeId array = catalog.userland(catalog.array_of(catalog.char_type(), 8));
  EXPECT_TRUE(catalog.at(catalog.at(array).target).is_userland);
  EXPECT_FALSE(catalog.at(catalog.char_type()).is_userland);
}

TEST(Types, OverflowingArraysSaturateTheirSize) {
  Catalog catalog;
  const TypeId rows = catalog.array_of(must_find(catalog, "long"), 0xffffffff);
  EXPECT_EQ(catalog.at(rows).size, 0xffffffffu);
}

TEST(Types, AreTheSameWhenCSaysSo) {
  Catalog catalog;
  const TypeId integer = must_find(catalog, "int");
  EXPECT_TRUE(catalog.same(must_find(catalog, "uint64_t"), must_find(catalog, "size_t")));
  EXPECT_TRUE(
      catalog.same(catalog.pointer_to(must_find(catalog, "pid_t")), catalog.pointer_to(integer)));
  EXPECT_FALSE(catalog.same(integer, must_find(catalog, "unsigned")));
  EXPECT_FALSE(catalog.same(integer, catalog.pointer_to(integer)));
  EXPECT_FALSE(catalog.same(catalog.array_of(integer, 2), catalog.array_of(integer, 3)));
  EXPECT_TRUE(catalog.same(catalog.constant(integer), integer));
  Type forward;
  forward.kind = Kind::kForward;
  forward.name = "foo";
  Type definition;
  definition.kind = Kind::kStruct;
  definition.name = "foo";
  definition.size = 4;
  EXPECT_TRUE(catalog.same(catalog.add(forward), catalog.add(definition)));
}

TEST(Declarations, TakeANameOnce) {
  Catalog catalog;
  Type type;
  type.kind = Kind::kStruct;
  type.name = "foo";
  const TypeId foo = catalog.add(type);
  EXPECT_TRUE(catalog.declare(Tag::kStruct, "foo", foo));
  EXPECT_EQ(catalog.find(Tag::kStruct, "foo"), foo);
  EXPECT_FALSE(catalog.find(Tag::kNone, "foo").has_value());
  EXPECT_TRUE(catalog.declare(Tag::kNone, "size_t", must_find(catalog, "unsigned long")));
  EXPECT_FALSE(catalog.declare(Tag::kNone, "size_t", foo));
}

TEST(Declarations, OfTheScriptAreItsOwn) {
  Catalog catalog;
  const TypeId small = catalog.integer(1, true), built_in = must_find(catalog, "uint64_t");
  EXPECT_TRUE(catalog.declare(Tag::kNone, "uint64_t", small));
  EXPECT_TRUE(catalog.declare(Tag::kNone, "script_t", small));
  EXPECT_EQ(catalog.find(Tag::kNone, "uint64_t"), small);
  {
    const ScriptNames hidden(catalog, true);
    EXPECT_EQ(catalog.find(Tag::kNone, "uint64_t"), built_in);
    EXPECT_FALSE(catalog.find(Tag::kNone, "script_t").has_value());
    EXPECT_FALSE(catalog.declare(Tag::kNone, "uint64_t", small));
    EXPECT_TRUE(catalog.declare(Tag::kNone, "library_t", small));
  }
  EXPECT_EQ(catalog.find(Tag::kNone, "uint64_t"), small);
  EXPECT_EQ(catalog.find(Tag::kNone, "library_t"), small);
}

TEST(Declarations, AForwardIsFilledInPlace) {
  Catalog catalog;
  Type type;
  type.kind = Kind::kForward;
  type.name = "node";
  const TypeId node = catalog.add(type);
  const TypeId user_node = catalog.userland(node);
  type.kind = Kind::kStruct;
  type.size = 8;
  type.members = {{"next", catalog.pointer_to(node)}};
  catalog.define(node, type);
  const auto found = catalog.member(node, "next");
  ASSERT_TRUE(found.has_value());
  EXPECT_EQ(catalog.at(found->type).target, node);
  EXPECT_TRUE(catalog.member(user_node, "next").has_value());
}

TEST(Members, AreFoundThroughAnonymousOnes) {
  Catalog catalog;
  const TypeId integer = must_find(catalog, "int");
  Type inner;
  inner.kind = Kind::kUnion;
  inner.size = 4;
  inner.members = {{"x", integer, 0, 0}, {"flag", integer, 3, 1}};
  Type outer;
  outer.kind = Kind::kStruct;
  outer.size = 8;
  outer.members = {{"first", integer, 0, 0}, {"", catalog.add(inner), 32, 0}};
  const TypeId id = catalog.add(outer);
  const auto flag = catalog.member(id, "flag");
  ASSERT_TRUE(flag.has_value());
  EXPECT_EQ(flag->bit_offset, 35u);
  EXPECT_EQ(flag->bit_size, 1u);
  EXPECT_FALSE(catalog.member(id, "y").has_value());
  EXPECT_FALSE(catalog.member(id, "").has_value());
  EXPECT_FALSE(catalog.member(integer, "x").has_value());
  EXPECT_EQ(catalog.member_names(id), (std::vector<std::string_view>{"first", "x", "flag"}));
}

TEST(Members, OfUserlandStructsAreInUserMemory) {
  Catalog catalog;
  Type type;
  type.kind = Kind::kStruct;
  type.size = 4;
  type.members = {{"x", must_find(catalog, "int"), 0, 0}};
  const auto found = catalog.member(catalog.userland(catalog.add(type)), "x");
  ASSERT_TRUE(found.has_value());
  EXPECT_TRUE(catalog.at(found->type).is_userland);
}

TEST(Members, OfAStructThatContainsItselfEnd) {
  Catalog catalog;
  Type type;
  type.kind = Kind::kStruct;
  const TypeId id = catalog.add(type);
  for (int i = 0; i < 100; ++i) type.members.push_back({"", id, 0, 0});
  catalog.define(id, type);
  EXPECT_FALSE(catalog.member(id, "x").has_value());
  EXPECT_TRUE(catalog.member_names(id).empty());
}

}  // namespace
}  // namespace dt::types

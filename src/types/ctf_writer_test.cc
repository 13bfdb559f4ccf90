// What is written is what is read. That GNU's reader agrees is in tests/conformance/types.

#include "types/ctf_writer.h"

#include <gtest/gtest.h>

#include "types/ctf_source.h"

namespace dt::types {
namespace {

// A catalogue that has read what another has written.
std::unique_ptr<Catalog> read_back(const Catalog& from, CtfContent content = CtfContent::kAll) {
  const std::string written = ctf_of(from, content, 32);
  CtfFile file;
  file.ctf.assign(written.begin(), written.end());
  file.array_order = CtfFile::ArrayOrder::kReversed;  // that of another, which does not count
  auto catalog = std::make_unique<Catalog>();
  auto source = CtfSource::make("a.out", std::move(file));
  EXPECT_TRUE(source.ok());
  if (source.ok()) catalog->add_source(std::move(*source));
  return catalog;
}

TypeId add_struct(Catalog& catalog, std::string name, std::uint32_t size,
                  std::vector<Member> members, Kind kind = Kind::kStruct) {
  Type type;
  type.kind = kind;
  type.name = std::move(name);
  type.size = size;
  type.members = std::move(members);
  const Tag tag = kind == Kind::kUnion ? Tag::kUnion : Tag::kStruct;
  const std::string declared = type.name;
  const TypeId id = catalog.add(std::move(type));
  if (!declared.empty()) catalog.declare(tag, declared, id);
  return id;
}

std::string member(Catalog& catalog, std::string_view of, std::string_view name) {
  const auto type = catalog.find(Tag::kStruct, of, "a.out");
  const auto found = type ? catalog.member(*type, name) : std::nullopt;
  return found ? fmt::format("{} at {}:{}", catalog.name(found->type), found->bit_offset,
                             found->bit_size)
               : "none";
}

TEST(CtfWriter, WhatIsWrittenIsRead) {
  Catalog catalog;
  const TypeId integer = catalog.integer(4, true), letter = catalog.char_type();
  Type color;
  color.kind = Kind::kEnum;
  color.name = "color";
  color.size = 4;
  color.is_signed = true;
  color.enumerators = {{"RED", -1}, {"BLUE", 7}, {"HUGE", std::int64_t{1} << 40}};
  const TypeId shade = catalog.add(color);
  catalog.declare(Tag::kEnum, "color", shade);
  Type function;
  function.kind = Kind::kFunction;
  function.target = integer;
  function.is_variadic = true;
  function.members = {{"", catalog.pointer_to(catalog.constant(letter)), 0, 0}};
  Type forward;
  forward.kind = Kind::kForward;
  forward.name = "thing";
  const TypeId thing = catalog.add(forward);
  catalog.declare(Tag::kStruct, "thing", thing);
  const TypeId both = add_struct(
      catalog, "", 8,
      {{"whole", catalog.integer(8, false), 0, 0}, {"each", catalog.array_of(letter, 8), 0, 0}},
      Kind::kUnion);
  Type whole;
  whole.kind = Kind::kStruct;
  whole.name = "thing";
  whole.size = 120;
  whole.members = {{"next", catalog.pointer_to(thing), 0, 0},
                   {"low", integer, 64, 3},
                   {"shade", shade, 67, 5},
                   {"table", catalog.array_of(catalog.array_of(integer, 3), 2), 96, 0},
                   {"", both, 320, 0},
                   {"call", catalog.pointer_to(catalog.add(function)), 384, 0},
                   {"name", catalog.string_type(), 448, 0},
                   {"text", catalog.pointer_to(catalog.constant(letter)), 704, 0},
                   {"fixed", catalog.constant(integer), 768, 0},
                   {"users", catalog.userland(catalog.pointer_to(letter)), 832, 0}};
  catalog.define(thing, whole);
  Type alias;
  alias.kind = Kind::kTypedef;
  alias.name = "thing_t";
  alias.target = thing;
  alias.size = 120;
  catalog.declare(Tag::kNone, "thing_t", catalog.add(alias));

  const auto read = read_back(catalog);
  EXPECT_EQ(read->size_of(*read->find(Tag::kNone, "thing_t", "a.out")), 120u);
  EXPECT_EQ(member(*read, "thing", "next"), "userland struct thing * at 0:0");
  EXPECT_EQ(member(*read, "thing", "low"), "userland int at 64:3");
  EXPECT_EQ(member(*read, "thing", "shade"), "userland enum color at 67:5");
  EXPECT_EQ(member(*read, "thing", "table"), "userland int [2][3] at 96:0");
  EXPECT_EQ(member(*read, "thing", "each"), "userland char [8] at 320:0");
  EXPECT_EQ(member(*read, "thing", "call"), "userland int (*)(const char *, ...) at 384:0");
  EXPECT_EQ(member(*read, "thing", "name"), "userland char [32] at 448:0");
  EXPECT_EQ(member(*read, "thing", "text"), "userland const char * at 704:0");
  EXPECT_EQ(member(*read, "thing", "fixed"), "userland const int at 768:0");
  EXPECT_EQ(member(*read, "thing", "users"), "userland char * at 832:0");
  // What does not fit is left out.
  const Type& read_color = read->at(*read->find(Tag::kEnum, "color", "a.out"));
  ASSERT_EQ(read_color.enumerators.size(), 2u);
  EXPECT_EQ(read_color.enumerators[0].value, -1);
  EXPECT_EQ(read->errors(), "");
}

TEST(CtfWriter, OfTwoTypesOfOneNameTheFirstDefinitionIsFound) {
  Catalog catalog;
  Type forward;
  forward.kind = Kind::kForward;
  forward.name = "twice";
  catalog.add(forward);
  add_struct(catalog, "twice", 4, {{"first", catalog.integer(4, true), 0, 0}});
  Type second;
  second.kind = Kind::kStruct;
  second.name = "twice";
  second.size = 8;
  catalog.add(second);
  const auto read = read_back(catalog);
  EXPECT_EQ(member(*read, "twice", "first"), "userland int at 0:0");
}

TEST(CtfWriter, WhatIsNotDeclaredIsWrittenOnRequest) {
  Catalog catalog;
  Type other;
  other.kind = Kind::kStruct;
  other.name = "of_a_source";
  other.size = 4;
  catalog.add(other);
  add_struct(catalog, "own", 4, {{"n", catalog.integer(4, true), 0, 0}});
  using enum CtfContent;
  EXPECT_EQ(read_back(catalog, kAll)->type_names(Tag::kStruct, "a.out"),
            (std::vector<std::string>{"of_a_source", "own"}));
  EXPECT_EQ(read_back(catalog, kDeclared)->type_names(Tag::kStruct, "a.out"),
            (std::vector<std::string>{"own"}));
}

TEST(CtfWriter, ManyTypesAndLargeOnes) {
  Catalog catalog;
  constexpr std::uint32_t kCount = 100'000;
  TypeId last = catalog.integer(4, true);
  for (std::uint32_t i = 0; i < kCount; ++i) {
    last = add_struct(catalog, fmt::format("s{}", i), 8, {{"m", catalog.pointer_to(last), 0, 0}});
  }
  add_struct(catalog, "large", 0x40000000,
             {{"at", catalog.integer(4, true), 0, 0}, {"end", catalog.char_type(), 0xfffffff8, 0}});
  const auto read = read_back(catalog);
  EXPECT_EQ(read->type_names(Tag::kStruct, "a.out").size(), kCount + 1);
  EXPECT_EQ(member(*read, "s99999", "m"), "userland struct s99998 * at 0:0");
  EXPECT_EQ(member(*read, "s1", "m"), "userland struct s0 * at 0:0");
  EXPECT_EQ(member(*read, "large", "end"), "userland char at 4294967288:0");
}

}  // namespace
}  // namespace dt::types

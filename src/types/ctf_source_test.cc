// CTF made by hand in each of its forms: what compilers here do not write, damage, and mutations.
// What GNU's write is in tests/conformance/types.

#include "types/ctf_source.h"

#include <elf.h>
#include <gtest/gtest.h>

#include <random>

#include "types/ctf_test.h"

namespace dt::types {
namespace {

using Bytes = CtfWriter::Bytes;

constexpr CtfForm kNarrow{false, false}, kWide{true, false}, kGnu{true, true};

class CtfForms : public testing::TestWithParam<CtfForm> {};

Bytes sample(const CtfForm& form, bool is_compressed = false) {
  CtfWriter ctf(form);
  const auto integer = ctf.integer("int", 4, Ctf::kSigned, 32);
  const auto letter = ctf.integer("char", 1, Ctf::kSigned | Ctf::kChar, 8);
  const auto odd = ctf.integer("odd_t", 4, 0, 32);
  const auto bits =
      form.is_gnu ? ctf.slice(integer, 4, 2, 5) : ctf.integer("int", 4, Ctf::kSigned, 5, 2, false);
  const auto thing = ctf.type(CtfKind::kForward, "thing", 0);
  const auto pointer = ctf.type(CtfKind::kPointer, "", thing);
  const auto constant = ctf.type(CtfKind::kConst, "", letter);
  const auto text = ctf.type(CtfKind::kPointer, "", constant);
  const auto row = ctf.array(integer, 3);
  const auto part = ctf.type(CtfKind::kUnion, "", 4, 1);
  ctf.member("inner", odd, 0);
  ctf.type(CtfKind::kStruct, "thing", 48, 6);
  ctf.member("n", integer, 0);
  ctf.member("bits", bits, 32);
  ctf.member("next", pointer, 64);
  ctf.member("text", text, 128);
  ctf.member("row", row, 192);
  ctf.member("", part, 288);
  ctf.type(CtfKind::kStruct, "large", std::uint64_t{1} << 30, 2);
  ctf.member("first", integer, 0);
  ctf.member("last", letter, 0xfffffff8);
  ctf.type(CtfKind::kEnum, "color", 4, 2);
  ctf.enumerator("RED", -1);
  ctf.enumerator("BLUE", 7);
  const auto callback = ctf.function(integer, {text, integer, 0});
  const auto to_function = ctf.type(CtfKind::kPointer, "", callback);
  ctf.type(CtfKind::kTypedef, "callback_t", to_function);
  ctf.type(CtfKind::kForward, "lost", form.is_wide ? 7 : 0);
  if (form.is_gnu) {
    ctf.named("start", callback);
    ctf.named("twice", callback);
    ctf.named("twice", callback);
  } else {
    ctf.listed(integer, {text, pointer});
    ctf.unlisted();
    ctf.listed(pointer, {});
  }
  return ctf.bytes(is_compressed);
}

// A symbol table of functions.
void add_symbols(CtfFile& file, const std::vector<std::string>& names) {
  file.strings.push_back(0);
  const auto add = [&](std::string_view name, unsigned char type, std::uint16_t section) {
    Elf64_Sym symbol{};
    symbol.st_name = static_cast<Elf64_Word>(file.strings.size());
    symbol.st_info = ELF64_ST_INFO(STB_GLOBAL, type);
    symbol.st_shndx = section;
    symbol.st_value = 0x1000;
    file.strings.insert(file.strings.end(), name.begin(), name.end());
    file.strings.push_back(0);
    const auto* const bytes = reinterpret_cast<const std::uint8_t*>(&symbol);
    file.symbols.insert(file.symbols.end(), bytes, bytes + sizeof symbol);
  };
  add("variable", STT_OBJECT, 1);
  add("elsewhere", STT_FUNC, SHN_UNDEF);
  add("_START_", STT_FUNC, 1);
  for (const std::string& name : names) add(name, STT_FUNC, 1);
}

struct Opened {
  Catalog catalog;
  std::string error;

  explicit Opened(CtfFile file) {
    auto source = CtfSource::make("a.out", std::move(file));
    if (source.ok()) {
      catalog.add_source(std::move(*source));
    } else {
      error = source.error().text;
    }
  }
  explicit Opened(Bytes bytes) : Opened(of(std::move(bytes))) {}
  static CtfFile of(Bytes bytes) {
    CtfFile file;
    file.ctf = std::move(bytes);
    return file;
  }
  TypeId find(Tag tag, std::string_view name) {
    return catalog.find(tag, name, "a.out").value_or(TypeId());
  }
  std::string member(TypeId type, std::string_view name) {
    const auto found = catalog.member(type, name);
    return found ? fmt::format("{} at {}:{}", catalog.name(found->type), found->bit_offset,
                               found->bit_size)
                 : "none";
  }
};

TEST_P(CtfForms, HasTypesOfEveryKind) {
  for (const bool is_compressed : {false, true}) {
    Opened it(sample(GetParam(), is_compressed));
    ASSERT_EQ(it.error, "");
    const TypeId thing = it.find(Tag::kStruct, "thing");
    ASSERT_NE(thing.value, 0u);
    EXPECT_EQ(it.catalog.size_of(thing), 48u);
    EXPECT_EQ(it.member(thing, "n"), "userland int at 0:0");
    EXPECT_EQ(it.member(thing, "bits"), "userland int at 34:5");
    EXPECT_EQ(it.member(thing, "next"), "userland struct thing * at 64:0");
    EXPECT_EQ(it.member(thing, "text"), "userland const char * at 128:0");
    EXPECT_EQ(it.member(thing, "row"), "userland int [3] at 192:0");
    EXPECT_EQ(it.member(thing, "inner"), "userland odd_t at 288:0");
    // A declaration stands for the definition.
    const auto next = it.catalog.member(thing, "next");
    EXPECT_EQ(it.catalog.size_of(it.catalog.resolved(next->type).target), 48u);
    const TypeId large = it.find(Tag::kStruct, "large");
    EXPECT_EQ(it.catalog.size_of(large), 1u << 30);
    EXPECT_EQ(it.member(large, "last"), "userland char at 4294967288:0");
    const Type& color = it.catalog.at(it.find(Tag::kEnum, "color"));
    ASSERT_EQ(color.enumerators.size(), 2u);
    EXPECT_EQ(color.enumerators[0].value, -1);
    EXPECT_EQ(color.enumerators[1].name, "BLUE");
    const Type& callback = it.catalog.resolved(it.find(Tag::kNone, "callback_t"));
    EXPECT_EQ(it.catalog.name(callback.target), "int (const char *, int, ...)");
    EXPECT_EQ(it.catalog.name(it.find(Tag::kNone, "odd_t")), "userland odd_t");
    EXPECT_EQ(it.find(Tag::kStruct, "missing").value, 0u);
    EXPECT_EQ(it.catalog.errors(), "");
  }
}

TEST_P(CtfForms, DamageEndsTheTypesAndIsReported) {
  const Bytes whole = sample(GetParam());
  for (std::size_t size = 0; size < whole.size(); ++size) {
    Opened it(Bytes(whole.begin(), whole.begin() + static_cast<std::ptrdiff_t>(size)));
    EXPECT_NE(it.error, "") << size;
  }
  std::mt19937 random(5);
  for (int i = 0; i < 4000; ++i) {
    Bytes bytes = sample(GetParam(), i % 4 == 0);
    for (int change = 0; change < 1 + i % 7; ++change) {
      bytes[random() % bytes.size()] = static_cast<std::uint8_t>(random());
    }
    Opened it(std::move(bytes));
    for (const Tag tag : {Tag::kNone, Tag::kStruct, Tag::kUnion, Tag::kEnum}) {
      for (const std::string& name : it.catalog.type_names(tag, "a.out")) {
        const TypeId type = it.find(tag, name);
        if (type.value == 0) continue;
        EXPECT_LE(it.catalog.name(type).size(), 1u << 16);
        for (const std::string_view member : it.catalog.member_names(type)) {
          it.member(type, member);
        }
      }
    }
    it.catalog.find_object("start", "a.out");
  }
}

INSTANTIATE_TEST_SUITE_P(All, CtfForms, testing::Values(kNarrow, kWide, kGnu),
                         [](const testing::TestParamInfo<CtfForm>& one) {
                           return one.param.is_gnu ? "Gnu" : one.param.is_wide ? "Wide" : "Narrow";
                         });

std::string function(Opened& it, std::string_view name) {
  const auto object = it.catalog.find_object(name, "a.out");
  return object ? it.catalog.name(object->type) : "none";
}

TEST(CtfFunctions, AreInTheOrderOfSymbols) {
  for (const CtfForm& form : {kNarrow, kWide}) {
    CtfFile file = Opened::of(sample(form));
    add_symbols(file, {"start", "unknown", "next"});
    Opened it(std::move(file));
    EXPECT_EQ(function(it, "start"), "int (const char *, struct thing *)");
    EXPECT_EQ(function(it, "unknown"), "none");
    EXPECT_EQ(function(it, "next"), "struct thing *(void)");
  }
}

TEST(CtfFunctions, OfAnotherSymbolTableAreNotBelieved) {
  for (const CtfForm& form : {kNarrow, kWide}) {
    for (const std::vector<std::string>& names :
         {std::vector<std::string>{"start"}, {"start", "a", "b", "c", "d"}}) {
      CtfFile file = Opened::of(sample(form));
      add_symbols(file, names);
      Opened it(std::move(file));
      EXPECT_EQ(function(it, "start"), "none") << names.size();
    }
  }
}

TEST(CtfFunctions, AreFoundByName) {
  Opened it(sample(kGnu));
  EXPECT_EQ(function(it, "start"), "int (const char *, int, ...)");
  EXPECT_EQ(function(it, "twice"), "none");  // two functions have this name
}

Bytes child(std::string_view name, std::uint32_t size, std::uint32_t of_parent) {
  CtfWriter ctf(kGnu, true);
  const auto own = ctf.type(CtfKind::kPointer, "", of_parent);
  ctf.type(CtfKind::kStruct, name, size, 1);
  ctf.member("own", own, 0);
  return ctf.bytes();
}

TEST(CtfArchive, ChildrenReferToTypesOfTheirParent) {
  Opened it(ctf_archive({{".ctf", sample(kGnu)},
                         {"a.c", child("clash", 8, 1)},
                         {"b.c", child("clash", 16, 1)},
                         {"c.c", child("alone", 8, 2)},
                         {"d.c", child("same", 8, 3)},
                         {"e.c", child("same", 8, 3)}}));
  ASSERT_EQ(it.error, "");
  EXPECT_EQ(it.member(it.find(Tag::kStruct, "alone"), "own"), "userland char * at 0:0");
  EXPECT_EQ(it.member(it.find(Tag::kStruct, "same"), "own"), "userland odd_t * at 0:0");
  EXPECT_EQ(it.catalog.size_of(it.find(Tag::kStruct, "thing")), 48u);
  EXPECT_EQ(it.catalog.errors(), "");
  EXPECT_EQ(it.find(Tag::kStruct, "clash").value, 0u);
  EXPECT_EQ(it.catalog.errors(), "a.out has different types of the name clash");
}

TEST(CtfArchive, AChildWithoutItsParentSaysSo) {
  Opened it(child("alone", 8, 2));
  EXPECT_EQ(it.member(it.find(Tag::kStruct, "alone"), "own"), "userland void * at 0:0");
  EXPECT_EQ(it.catalog.errors(),
            "a.out: CTF: it refers to types of '.ctf', which it does not have");
}

// What fails this test is a crash, a sanitizer or an endless loop.
TEST(CtfArchive, SurvivesDamageOfItsTables) {
  const Bytes whole = ctf_archive({{".ctf", sample(kGnu)}, {"a.c", child("own", 8, 1)}});
  std::mt19937 random(7);
  for (int i = 0; i < 4000; ++i) {
    Bytes bytes = whole;
    for (int change = 0; change < 1 + i % 3; ++change) {
      bytes[random() % 72] = static_cast<std::uint8_t>(random());
    }
    Opened it(std::move(bytes));
    it.catalog.type_names(Tag::kStruct, "a.out");
  }
}

TEST(CtfArrays, SizesAreReversedWhereTheCompilerHasReversedThem) {
  using Order = CtfFile::ArrayOrder;
  for (const auto& [order, name, size] : {std::tuple{Order::kAsInC, "userland int [2][3]", 24u},
                                          {Order::kReversed, "userland int [3][2]", 24u},
                                          {Order::kUnknown, "userland struct {...}", 24u}}) {
    CtfWriter ctf(kGnu);
    const auto integer = ctf.integer("int", 4, Ctf::kSigned, 32);
    const auto matrix = ctf.array(ctf.array(integer, 3), 2);
    ctf.type(CtfKind::kTypedef, "matrix_t", matrix);
    const auto square = ctf.array(ctf.array(integer, 4), 4);
    ctf.type(CtfKind::kTypedef, "square_t", square);
    CtfFile file = Opened::of(ctf.bytes());
    file.array_order = order;
    Opened it(std::move(file));
    const auto target = [&](const char* type) {
      return it.catalog.name(it.catalog.resolve(it.find(Tag::kNone, type)));
    };
    EXPECT_EQ(target("matrix_t"), name);
    EXPECT_EQ(target("square_t"), "userland int [4][4]");
    EXPECT_EQ(it.catalog.size_of(it.find(Tag::kNone, "matrix_t")), size);
  }
}

TEST(CtfArrays, TheirOrderFollowsFromTheCompilers) {
  using Order = CtfFile::ArrayOrder;
  const std::string old("GCC: (Debian 12.2.0-14+deb12u1) 12.2.0\0", 40);
  const std::string newer("GCC: (GNU) 14.2.1 20250110 (Red Hat 14.2.1-7)\0", 47);
  const std::string plain("GCC: (Debian 15.1.0-1) 15.1.0\0", 30);
  EXPECT_EQ(array_order_of(old), Order::kReversed);
  EXPECT_EQ(array_order_of(newer), Order::kAsInC);
  EXPECT_EQ(array_order_of(plain), Order::kAsInC);
  EXPECT_EQ(array_order_of(old + plain), Order::kUnknown);
  EXPECT_EQ(array_order_of(""), Order::kUnknown);
}

TEST(Ctf, WhatIsNotReadIsSaid) {
  const auto error = [](Bytes bytes) { return Opened(std::move(bytes)).error; };
  Bytes bytes = sample(kWide);
  bytes[2] = 1;
  EXPECT_EQ(error(bytes), "CTF: version 1 is not read");
  bytes = sample(kGnu);
  bytes[2] = 3;
  EXPECT_EQ(error(bytes), "CTF: version 3 is not read");
  std::swap(bytes[0], bytes[1]);
  EXPECT_EQ(error(bytes), "CTF: it is of a machine of the other byte order");
  bytes = sample(kNarrow, true);
  bytes[32] = bytes[33] = bytes[34] = bytes[35] = 0x7f;  // strings of two gigabytes
  EXPECT_EQ(error(bytes), "CTF: it is larger than it can be");
}

}  // namespace
}  // namespace dt::types

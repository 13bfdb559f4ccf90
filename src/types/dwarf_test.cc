// DWARF made by hand: what compilers do not write, damage, and mutations. What
// they do write is in tests/conformance/types.

#include <gtest/gtest.h>

#include <random>

#include "types/dwarf_source.h"

namespace dt::types {
namespace {

using Bytes = symbol::ElfFile::Bytes;

// Codes of the abbreviations below.
enum Code : std::uint8_t {
  kEnd,
  kUnit,
  kInt,
  kStruct,
  kMember,
  kBits,
  kPointer,
  kTypedef,
  kDeclared,
  kSpace,
  kOldBits
};

// code, tag, children, (attribute, form)..., 0, 0
const Bytes kAbbreviations = {kUnit,    0x11, 1,         0,    0,        kInt, 0x24,
                              0,        0x03, 0x08,      0x0b, 0x0b,     0x3e, 0x0b,
                              0,        0,  // name, size, encoding
                              kStruct,  0x13, 1,         0x03, 0x08,     0x0b, 0x0b,
                              0,        0,  // name, size
                              kMember,  0x0d, 0,         0x03, 0x08,     0x49, 0x13,
                              0x38,     0x0b, 0,         0,  // name, type, location
                              kBits,    0x0d, 0,         0x03, 0x08,     0x49, 0x13,
                              0x0d,     0x0b, 0x6b,      0x0b, 0,        0,  // bits, from the start
                              kPointer, 0x0f, 0,         0x49, 0x13,     0,    0,
                              kTypedef, 0x16, 0,         0x03, 0x08,     0x49, 0x13,
                              0,        0,    kDeclared, 0x13, 0,        0x03, 0x08,
                              0x3c,     0x19, 0,         0,    kSpace,   0x39, 1,
                              0x03,     0x08, 0,         0,    kOldBits, 0x0d, 0,
                              0x03,     0x08, 0x49,      0x13, 0x38,     0x0b, 0x0d,
                              0x0b,     0x0c, 0x0b,      0,    0,        0};

// Writes units of DWARF 4.
class Writer {
 public:
  void begin() {
    unit_ = info_.size();
    info_.insert(info_.end(), {0, 0, 0, 0, 4, 0, 0, 0, 0, 0, 8, kUnit});
  }
  void end() {
    info_.push_back(kEnd);
    const auto length = static_cast<std::uint32_t>(info_.size() - unit_ - 4);
    std::memcpy(info_.data() + unit_, &length, sizeof length);
  }
  // Gives the place of the entry within its unit.
  std::uint32_t entry(Code code, const std::string& name, const Bytes& rest = {}) {
    const auto at = static_cast<std::uint32_t>(info_.size() - unit_);
    info_.push_back(code);
    if (code != kPointer) {
      info_.insert(info_.end(), name.begin(), name.end());
      info_.push_back(0);
    }
    info_.insert(info_.end(), rest.begin(), rest.end());
    return at;
  }
  void close() { info_.push_back(kEnd); }
  DwarfFile file() const {
    DwarfFile file;
    file.info = info_;
    file.abbrev = kAbbreviations;
    return file;
  }

 private:
  Bytes info_;
  std::size_t unit_ = 0;
};

Bytes ref(std::uint32_t at, const Bytes& rest = {}) {
  Bytes bytes(4);
  std::memcpy(bytes.data(), &at, sizeof at);
  bytes.insert(bytes.end(), rest.begin(), rest.end());
  return bytes;
}

DwarfFile sample() {
  Writer dwarf;
  dwarf.begin();
  const auto integer = dwarf.entry(kInt, "int", {4, 5});
  const auto far = dwarf.entry(kDeclared, "far");
  const auto far_pointer = dwarf.entry(kPointer, "", ref(far));
  const auto lost = dwarf.entry(kDeclared, "lost");
  const auto lost_pointer = dwarf.entry(kPointer, "", ref(lost));
  dwarf.entry(kStruct, "thing", {32});
  dwarf.entry(kMember, "n", ref(integer, {0}));
  dwarf.entry(kBits, "new_bits", ref(integer, {3, 37}));
  dwarf.entry(kOldBits, "old_bits", ref(integer, {8, 3, 2}));
  dwarf.entry(kMember, "far", ref(far_pointer, {16}));
  dwarf.entry(kMember, "lost", ref(lost_pointer, {24}));
  dwarf.close();
  const auto loop = dwarf.entry(kTypedef, "loop_t", ref(static_cast<std::uint32_t>(0)));
  dwarf.entry(kTypedef, "self_t", ref(loop + 1 + 7 + 4));  // names itself
  dwarf.entry(kSpace, "shop");
  dwarf.entry(kStruct, "item", {8});
  dwarf.close();
  dwarf.close();
  dwarf.entry(kStruct, "clash", {4});
  dwarf.close();
  dwarf.end();
  dwarf.begin();
  const auto other = dwarf.entry(kInt, "int", {4, 5});
  dwarf.entry(kStruct, "far", {4});
  dwarf.entry(kMember, "found", ref(other, {0}));
  dwarf.close();
  dwarf.entry(kStruct, "clash", {8});
  dwarf.close();
  dwarf.end();
  return dwarf.file();
}

class Program : public testing::Test {
 protected:
  void use(DwarfFile file) {
    auto source = DwarfSource::make("a.out", std::move(file), {});
    ASSERT_TRUE(source.ok()) << source.error().text;
    catalog_.add_source(std::move(*source));
  }
  std::string type_of(TypeId aggregate, std::string_view name) {
    const auto found = catalog_.member(aggregate, name);
    return found ? catalog_.name(found->type) : "(absent)";
  }
  Catalog catalog_;
};

TEST_F(Program, HasStructuresInUserMemory) {
  use(sample());
  const auto thing = catalog_.find(Tag::kStruct, "thing", "a.out");
  ASSERT_TRUE(thing.has_value()) << catalog_.errors();
  EXPECT_EQ(catalog_.name(*thing), "userland struct thing");
  EXPECT_EQ(catalog_.at(*thing).size, 32u);
  EXPECT_EQ(type_of(*thing, "n"), "userland int");
  const auto bits = catalog_.member(*thing, "new_bits");
  EXPECT_EQ(bits->bit_offset, 37u);
  EXPECT_EQ(bits->bit_size, 3u);
  // 32 bits of storage at byte 8; 2 bits from the top, 3 wide.
  const auto old = catalog_.member(*thing, "old_bits");
  EXPECT_EQ(old->bit_offset, 64u + 32 - 2 - 3);
  EXPECT_EQ(old->bit_size, 3u);
}

TEST_F(Program, CompletesADeclarationByItsDefinitionElsewhere) {
  use(sample());
  const auto thing = catalog_.find(Tag::kStruct, "thing", "a.out");
  const TypeId far = catalog_.resolved(catalog_.member(*thing, "far")->type).target;
  EXPECT_EQ(catalog_.at(far).kind, Kind::kStruct);
  EXPECT_EQ(type_of(far, "found"), "int");
  const TypeId lost = catalog_.resolved(catalog_.member(*thing, "lost")->type).target;
  EXPECT_EQ(catalog_.at(lost).kind, Kind::kForward);
}

TEST_F(Program, CutsTypesThatNameThemselves) {
  use(sample());
  const auto self = catalog_.find(Tag::kNone, "self_t", "a.out");
  ASSERT_TRUE(self.has_value());
  EXPECT_EQ(catalog_.resolved(*self).kind, Kind::kVoid);
}

TEST_F(Program, FindsWhatIsInNamespaces) {
  use(sample());
  EXPECT_TRUE(catalog_.find(Tag::kStruct, "item", "a.out").has_value());
  EXPECT_FALSE(catalog_.find(Tag::kStruct, "shop", "a.out").has_value());
  EXPECT_EQ(catalog_.type_names(Tag::kStruct, "a.out"),
            (std::vector<std::string>{"clash", "far", "item", "lost", "thing"}));
}

TEST_F(Program, RefusesANameOfDifferentTypes) {
  use(sample());
  EXPECT_FALSE(catalog_.find(Tag::kStruct, "clash", "a.out").has_value());
  EXPECT_EQ(catalog_.errors(), "a.out has different types of the name clash");
}

TEST_F(Program, KeepsWhatStandsBeforeDamage) {
  DwarfFile file = sample();
  file.info.erase(file.info.end() - 4, file.info.end());
  use(std::move(file));
  EXPECT_TRUE(catalog_.find(Tag::kStruct, "thing", "a.out").has_value());
  EXPECT_NE(catalog_.errors().find("a.out: DWARF: the unit at 0x"), std::string::npos);
}

// Asks everything; what it answers does not matter here.
void ask_everything(DwarfFile file) {
  auto source = DwarfSource::make("a.out", std::move(file), {});
  if (!source.ok()) return;
  Catalog catalog;
  catalog.add_source(std::move(*source));
  for (const Tag tag : {Tag::kNone, Tag::kStruct, Tag::kUnion, Tag::kEnum}) {
    for (const std::string& name : catalog.type_names(tag, "a.out")) {
      const auto type = catalog.find(tag, name, "a.out");
      if (!type) continue;
      EXPECT_LE(catalog.name(*type).size(), 1u << 16);
      for (const std::string_view member : catalog.member_names(*type)) {
        const auto found = catalog.member(*type, member);
        EXPECT_TRUE(!found || catalog.name(found->type).size() <= 1u << 16);
      }
    }
  }
}

TEST_F(Program, SurvivesTruncationAndMutation) {
  const DwarfFile whole = sample();
  for (std::size_t size = 0; size < whole.info.size(); ++size) {
    DwarfFile file = whole;
    file.info.resize(size);
    ask_everything(std::move(file));
  }
  std::mt19937 random(20240607);
  for (int round = 0; round < 3000; ++round) {
    DwarfFile file = whole;
    for (unsigned i = 0; i < 1 + random() % 6; ++i) {
      Bytes& bytes = random() % 3 == 0 ? file.abbrev : file.info;
      bytes[random() % bytes.size()] =
          static_cast<std::uint8_t>(random() % 3 == 0 ? random() : random() % 64);
    }
    ask_everything(std::move(file));
  }
}

TEST(ElfFile, SaysWhatItCannotRead) {
  using symbol::ElfFile;
  EXPECT_EQ(ElfFile::from_bytes({1, 2, 3}).error().text, "ELF: this is no ELF file");
  Bytes header(64);
  std::memcpy(header.data(),
              "\x7f"
              "ELF\1\1",
              6);
  EXPECT_EQ(ElfFile::from_bytes(header).error().text, "ELF: 32-bit programs are not supported");
  header[4] = 2;
  header[5] = 2;
  EXPECT_EQ(ElfFile::from_bytes(header).error().text, "ELF: of the other byte order");
  header[5] = 1;
  ASSERT_TRUE(ElfFile::from_bytes(header).ok());
  EXPECT_FALSE(ElfFile::from_bytes(header)->has(".debug_info"));
  header[40] = 0xff;  // where the section headers are
  header[58] = 64;
  EXPECT_EQ(ElfFile::from_bytes(header).error().text, "ELF: section headers lie beyond the end");
  EXPECT_EQ(ElfFile::open("/dev/null").error().text, "/dev/null: is not a regular file");
}

}  // namespace
}  // namespace dt::types

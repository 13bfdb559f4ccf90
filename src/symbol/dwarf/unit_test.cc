// Headers of units, and entries, of any bytes.

#include "symbol/dwarf/unit.h"

#include <gtest/gtest.h>

#include <random>
#include <string>
#include <vector>

namespace dt::symbol {
namespace {

using Bytes = std::vector<std::uint8_t>;

// A unit of DWARF 4 whose entries are `entries` bytes.
Bytes unit_of_4(std::uint8_t entries) {
  Bytes bytes = {std::uint8_t(7 + entries), 0, 0, 0, 4, 0, 0x30, 0, 0, 0, 8};
  bytes.resize(bytes.size() + entries);
  return bytes;
}

struct Walked {
  std::vector<DwarfUnitHeader> units;
  UnitWalk walk;
};
Walked walk(const Bytes& bytes, std::size_t most = 100) {
  Walked out;
  out.walk = walk_units(
      bytes.size(), most,
      [&](std::uint64_t at, std::uint64_t size) {
        return std::span(bytes).subspan(at, std::min<std::uint64_t>(size, bytes.size() - at));
      },
      [&](const DwarfUnitHeader& header) { out.units.push_back(header); });
  return out;
}

TEST(DwarfUnit, HeadersOfAllVersionsAreRead) {
  struct Case {
    const char* name;
    Bytes bytes;
    std::uint64_t first, abbreviations;
    DwarfWidths widths;
    std::uint64_t signature = 0, type_offset = 0;
  };
  const Case cases[] = {
      {"4", unit_of_4(1), 11, 0x30, {4, 8, 4}},
      {"5", {9, 0, 0, 0, 5, 0, 1, 8, 0x40, 0, 0, 0, 0}, 12, 0x40, {5, 8, 4}},
      {"5, a skeleton",
       {17, 0, 0, 0, 5, 0, 4, 8, 0x40, 0, 0, 0, 1, 2, 3, 4, 5, 6, 7, 8, 0},
       20,
       0x40,
       {5, 8, 4}},
      {"5, a type",
       {21, 0, 0, 0, 5, 0, 2, 8, 0x40, 0, 0, 0, 9, 0, 0, 0, 0, 0, 0, 0, 0x18, 0, 0, 0, 0},
       24,
       0x40,
       {5, 8, 4},
       9,
       0x18},
      {"3 of 64 bits",
       {0xff, 0xff, 0xff, 0xff, 12, 0, 0, 0, 0, 0, 0, 0, 3, 0, 0x50, 0, 0, 0, 0, 0, 0, 0, 4, 0},
       23,
       0x50,
       {3, 4, 8}},
  };
  for (const Case& one : cases) {
    const Walked walked = walk(one.bytes);
    EXPECT_EQ(walked.walk.end, UnitWalk::End::kWhole) << one.name;
    ASSERT_EQ(walked.units.size(), 1U) << one.name;
    const DwarfUnitHeader& unit = walked.units[0];
    EXPECT_EQ(unit.first, one.first) << one.name;
    EXPECT_EQ(unit.end, one.bytes.size()) << one.name;
    EXPECT_EQ(unit.abbreviations, one.abbreviations) << one.name;
    EXPECT_EQ(unit.widths.version, one.widths.version) << one.name;
    EXPECT_EQ(unit.widths.address_size, one.widths.address_size) << one.name;
    EXPECT_EQ(unit.widths.offset_size, one.widths.offset_size) << one.name;
    EXPECT_EQ(unit.signature, one.signature) << one.name;
    EXPECT_EQ(unit.type_offset, one.type_offset) << one.name;
  }
}

TEST(DwarfUnit, AWalkEndsAtADamagedUnitAndAtItsLimit) {
  Bytes bytes = unit_of_4(4);
  const std::size_t one = bytes.size();
  for (int i = 0; i < 2; ++i) {
    const Bytes more = unit_of_4(4);
    bytes.insert(bytes.end(), more.begin(), more.end());
  }
  EXPECT_EQ(walk(bytes).units.size(), 3U);
  EXPECT_EQ(walk(bytes, 2).walk.end, UnitWalk::End::kTooMany);
  EXPECT_EQ(walk(bytes, 2).units.size(), 2U);
  bytes[one + 4] = 6;  // a version that does not exist
  EXPECT_EQ(walk(bytes).walk.end, UnitWalk::End::kDamaged);
  EXPECT_EQ(walk(bytes).walk.at, one);
  EXPECT_EQ(walk(bytes).units.size(), 1U);
}

TEST(DwarfUnit, AnOffsetIsFoundInTheUnitThatHasIt) {
  const std::vector<DwarfUnitHeader> units = {{.offset = 0, .end = 10}, {.offset = 20, .end = 30}};
  EXPECT_EQ(find_unit(units, 0), units.begin());
  EXPECT_EQ(find_unit(units, 9), units.begin());
  EXPECT_EQ(find_unit(units, 10), units.end());
  EXPECT_EQ(find_unit(units, 29), units.begin() + 1);
  EXPECT_EQ(find_unit(units, 30), units.end());
}

TEST(DwarfUnit, AnyBytesAreReadWithinTheirBounds) {
  std::mt19937 random(1);
  for (int round = 0; round < 20000; ++round) {
    Bytes bytes = unit_of_4(20);
    const int changes = static_cast<int>(random() % 8);
    for (int i = 0; i < changes; ++i) {
      bytes[random() % bytes.size()] = static_cast<std::uint8_t>(random());
    }
    bytes.resize(random() % (bytes.size() + 1));
    std::uint64_t before = 0;
    for (const DwarfUnitHeader& unit : walk(bytes).units) {
      EXPECT_EQ(unit.offset, before);
      EXPECT_LE(unit.first, unit.end);
      EXPECT_LE(unit.end, bytes.size());
      before = unit.end;
    }
  }
}

// code 1: tag 0x2e, has children, name (text), and a number
const Bytes kTable = {1, 0x2e, 1, 0x03, 0x08, 0x0b, 0x0b, 0, 0, 0};

TEST(DwarfUnit, AnEntryIsItsTagAndItsAttributes) {
  const auto table = DwarfAbbreviations::read(DwarfCursor(kTable, 0, kTable.size()), 100);
  const auto read = [&](const Bytes& bytes, bool is_wanted) {
    std::string out;
    DwarfCursor cursor(bytes, 0, bytes.size());
    const bool is_read = read_entry(
        cursor, {4, 8, 4}, table,
        [&](std::uint16_t tag, bool has_children) {
          out = std::to_string(tag) + (has_children ? "+" : "");
          return is_wanted;
        },
        [&](std::uint64_t attribute, const DwarfValue& value) {
          out += " " + std::to_string(attribute) + "=" + std::string(value.text) +
                 (value.text.empty() ? std::to_string(value.number) : "");
        });
    return is_read ? out + " to " + std::to_string(cursor.at()) : "unreadable";
  };
  EXPECT_EQ(read({1, 'f', 0, 7}, true), "46+ 3=f 11=7 to 4");
  EXPECT_EQ(read({1, 'f', 0, 7}, false), "46+ to 4");
  EXPECT_EQ(read({0}, true), "0 to 1");
  EXPECT_EQ(read({1, 'f', 0}, true), "unreadable");
  EXPECT_EQ(read({2}, true), "unreadable");
  EXPECT_EQ(read({}, true), "unreadable");
}

TEST(DwarfUnit, TextsAndReferencesArePlaces) {
  DwarfUnitHeader unit;
  unit.offset = 0x100;
  unit.strings = 8;
  const auto value = [](DwarfValue::Kind kind, std::uint64_t number) {
    DwarfValue out;
    out.kind = kind;
    out.number = number;
    return out;
  };
  using Kind = DwarfValue::Kind;
  EXPECT_EQ(text_place(unit, value(Kind::kStrIndex, 3)).at, 20U);
  EXPECT_EQ(text_place(unit, value(Kind::kStrIndex, ~0ULL)).place, DwarfText::Place::kNone);
  EXPECT_EQ(text_place(unit, value(Kind::kNumber, 3)).place, DwarfText::Place::kNone);
  EXPECT_EQ(reference(unit, value(Kind::kUnitRef, 5), true), (DwarfRef{0x105, true}));
  EXPECT_EQ(reference(unit, value(Kind::kRef, 5), false), (DwarfRef{5, false}));
  EXPECT_EQ(reference(unit, value(Kind::kAltRef, 5), false), (DwarfRef{5, true}));
  EXPECT_EQ(reference(unit, value(Kind::kSignature, 5), false), std::nullopt);
}

}  // namespace
}  // namespace dt::symbol

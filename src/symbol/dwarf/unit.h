#pragma once
// The units of .debug_info and their entries ("DIEs"), DWARF versions 2 to 5 (dwarfstd.org,
// 7.5). libdw trusts its input in places; this reader does not: every offset is checked, every
// walk goes forward, and what cannot be read is absent.
//
//   unit: header | entry | entry | ...      a tree, as depth-first text
//   entry: code | attributes                code 0 ends the children of an entry
//
// The abbreviation of the code has the tag, whether children follow, and the forms of the
// attributes. Two readers are made of this: units.h finds the code of units and reads parts of
// a file on demand; types/dwarf.h finds types and has the sections in memory.

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <optional>
#include <span>

#include "symbol/dwarf/abbreviations.h"
#include "symbol/dwarf/cursor.h"
#include "symbol/dwarf/forms.h"

namespace dt::symbol {

struct DwarfUnitHeader {
  std::uint64_t offset = 0, first = 0, end = 0;  // in .debug_info; `first`: its first entry
  std::uint64_t abbreviations = 0;               // in .debug_abbrev
  std::uint64_t signature = 0, type_offset = 0;  // of a type unit
  DwarfWidths widths{0, 8, 4};
  // Where its offsets of strings, its addresses and its lists of ranges and locations begin, each
  // in its own section: behind a header, unless the first entry has other places.
  std::uint64_t strings = 0, addresses = 0, ranges = 0, locations = 0;
};

// No header is longer.
constexpr std::uint64_t kMaxUnitHeaderBytes = 40;

// The header at `at` in a section of `section_size` bytes, of which `bytes` begin there; false
// when it is damaged.
bool read_unit_header(std::uint64_t at, std::span<const std::uint8_t> bytes,
                      std::uint64_t section_size, DwarfUnitHeader& out);

struct UnitWalk {
  enum class End : std::uint8_t { kWhole, kDamaged, kTooMany } end = End::kWhole;
  std::uint64_t at = 0;  // the unit at which the walk ended
};

// Calls add(header) for the units, in ascending order, up to `most` of them or to a damaged
// one. part(at, size) gives the bytes of the section there, or as many as it has.
template <typename Part, typename Add>
UnitWalk walk_units(std::uint64_t section_size, std::size_t most, const Part& part,
                    const Add& add) {
  std::size_t count = 0;
  for (std::uint64_t at = 0; at < section_size; ++count) {
    if (count == most) return {UnitWalk::End::kTooMany, at};
    DwarfUnitHeader header;
    if (!read_unit_header(at, part(at, kMaxUnitHeaderBytes), section_size, header)) {
      return {UnitWalk::End::kDamaged, at};
    }
    at = header.end;
    add(header);
  }
  return {UnitWalk::End::kWhole, section_size};
}

// The unit that has the offset, of units in ascending order; their end when none has.
template <typename Units>
auto find_unit(Units& units, std::uint64_t offset) {
  const auto after =
      std::upper_bound(units.begin(), units.end(), offset,
                       [](std::uint64_t value, const auto& unit) { return value < unit.offset; });
  if (after == units.begin()) return units.end();
  const auto found = std::prev(after);
  return offset < found->end ? found : units.end();
}

// An entry by where it begins; `in_alt`: in the file that several share (dwz).
struct DwarfRef {
  std::uint64_t offset = 0;
  bool in_alt = false;
  bool operator==(const DwarfRef&) const = default;
};

// What a value refers to by a place; `is_alt`: the unit is in the shared file. nullopt for
// other values, and for signatures of type units.
std::optional<DwarfRef> reference(const DwarfUnitHeader& unit, const DwarfValue& value,
                                  bool is_alt);

// Where the text of a value is.
struct DwarfText {
  enum class Place : std::uint8_t {
    kNone,
    kHere,        // in the value
    kStr,         // in .debug_str
    kLineStr,     // in .debug_line_str
    kAltStr,      // in .debug_str of the shared file
    kStrOffsets,  // its offset in .debug_str is at this place of .debug_str_offsets
  } place = Place::kNone;
  std::uint64_t at = 0;
};
DwarfText text_place(const DwarfUnitHeader& unit, const DwarfValue& value);

// Reads the entry at the cursor. begin(tag, has_children) says whether its attributes are
// wanted, each(attribute, value) gets these; tag 0 is the end of a list of children. False
// when the entry cannot be read.
template <typename Begin, typename Each>
bool read_entry(DwarfCursor& cursor, const DwarfWidths& widths, const DwarfAbbreviations& table,
                const Begin& begin, const Each& each) {
  const std::uint64_t code = cursor.uleb();
  if (!cursor.ok()) return false;
  if (code == 0) {
    begin(std::uint16_t{0}, false);
    return true;
  }
  const DwarfAbbreviations::Entry* const known = table.find(code);
  if (known == nullptr) return false;
  const bool is_wanted = begin(known->tag, known->has_children);
  for (const DwarfAbbreviations::Attribute& attribute : table.attributes(*known)) {
    DwarfValue value;
    if (!read_form(cursor, attribute.form, attribute.implicit, widths, value)) return false;
    if (is_wanted) each(attribute.name, value);
  }
  return cursor.ok();
}

}  // namespace dt::symbol

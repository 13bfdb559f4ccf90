#pragma once
// The forms in which DWARF writes the value of an attribute (7.5.6), and the
// numbers of the standard that the reader of entries needs.

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

#include "symbol/dwarf/cursor.h"

namespace dt::symbol {

// A number of a line or a file; 0, which is none, for one that no compiler writes.
inline std::uint32_t narrow(std::uint64_t value) {
  return value > ~std::uint32_t{0} ? 0 : static_cast<std::uint32_t>(value);
}

// Attributes that types, functions and places in the source are made of.
enum class DwarfAttribute : std::uint16_t {
  kSibling = 0x01,
  kName = 0x03,
  kByteSize = 0x0b,
  kBitOffset = 0x0c,
  kBitSize = 0x0d,
  kStmtList = 0x10,
  kLowPc = 0x11,
  kHighPc = 0x12,
  kLanguage = 0x13,
  kCompDir = 0x1b,
  kConstValue = 0x1c,
  kUpperBound = 0x2f,
  kAbstractOrigin = 0x31,
  kCount = 0x37,
  kDataMemberLocation = 0x38,
  kDeclaration = 0x3c,
  kEncoding = 0x3e,
  kExternal = 0x3f,
  kSpecification = 0x47,
  kType = 0x49,
  kRanges = 0x55,
  kCallFile = 0x58,
  kCallLine = 0x59,
  kSignature = 0x69,
  kDataBitOffset = 0x6b,
  kLinkageName = 0x6e,
  kStrOffsetsBase = 0x72,
  kAddrBase = 0x73,
  kRnglistsBase = 0x74,
  kLoclistsBase = 0x8c,
  kDwoName = 0x76,
  kMipsLinkageName = 0x2007,
  kGnuVector = 0x2107,
  kGnuDwoName = 0x2130,
};

constexpr std::uint8_t kUnitType = 2, kUnitSkeleton = 4, kUnitSplitCompile = 5, kUnitSplitType = 6;
constexpr std::uint64_t kFormImplicitConst = 0x21;

// A value as the form gives it. What it means depends on the unit: an index, for example, needs the
// base of its table. `number` is an offset, an index or the number itself, by the kind.
struct DwarfValue {
  enum class Kind : std::uint8_t {
    kNothing,  // of no use here
    kNumber,   // also flags
    kAddress,
    kAddressIndex,    // in .debug_addr
    kRangesIndex,     // in .debug_rnglists
    kLocationsIndex,  // in .debug_loclists
    kBlock,           // bytes
    kText,            // text
    kStr,             // offset in .debug_str
    kLineStr,         // in .debug_line_str
    kAltStr,          // in .debug_str of the shared file
    kStrIndex,        // index in .debug_str_offsets
    kUnitRef,         // entry, from the unit's start
    kRef,             // entry, from the section's start
    kAltRef,          // entry of the shared file
    kSignature,       // of a type unit
  };
  Kind kind = Kind::kNothing;
  std::uint64_t number = 0;
  std::string_view text;
  std::span<const std::uint8_t> block;
};

// The sizes of a unit: an offset has 4 bytes, or 8 in the 64-bit format; an address has as many as
// those of the machine.
struct DwarfWidths {
  std::uint16_t version;
  std::uint8_t address_size, offset_size;
};

// Reads one value; false when the form is not known or the bytes end.
bool read_form(DwarfCursor& cursor, std::uint64_t form, std::int64_t implicit,
               const DwarfWidths& widths, DwarfValue& out);

// DW_AT_data_member_location: a number, or an expression that adds one. nullopt
// for other expressions, as those of virtual bases.
std::optional<std::uint64_t> member_location(const DwarfValue& value);

}  // namespace dt::symbol

// See unit.h.

#include "symbol/dwarf/unit.h"

namespace dt::symbol {

using Kind = DwarfValue::Kind;

// length | version | [kind | address size] | abbreviations | ...
bool read_unit_header(std::uint64_t at, std::span<const std::uint8_t> bytes,
                      std::uint64_t section_size, DwarfUnitHeader& out) {
  constexpr std::uint64_t kWideLength = 0xffffffff;
  DwarfCursor cursor(bytes, 0, bytes.size());
  out.offset = at;
  std::uint64_t length = cursor.fixed(4);
  if (length == kWideLength) {
    out.widths.offset_size = 8;
    length = cursor.fixed(8);
  }
  if (!cursor.ok() || length == 0 || length > section_size - at - cursor.at()) return false;
  out.end = at + cursor.at() + length;
  out.widths.version = static_cast<std::uint16_t>(cursor.fixed(2));
  const auto address_size = [&] { return static_cast<std::uint8_t>(cursor.fixed(1)); };
  if (out.widths.version >= 5) {
    const std::uint64_t kind = cursor.fixed(1);
    out.widths.address_size = address_size();
    out.abbreviations = cursor.fixed(out.widths.offset_size);
    if (kind == kUnitSkeleton || kind == kUnitSplitCompile) cursor.skip(8);
    if (kind == kUnitType || kind == kUnitSplitType) {
      out.signature = cursor.fixed(8);
      out.type_offset = cursor.fixed(out.widths.offset_size);
    }
  } else {
    out.abbreviations = cursor.fixed(out.widths.offset_size);
    out.widths.address_size = address_size();
  }
  out.first = at + cursor.at();
  const bool is_wide = out.widths.offset_size == 8;
  out.strings = out.addresses = is_wide ? 16 : 8;
  out.ranges = out.locations = is_wide ? 20 : 12;
  return cursor.ok() && out.widths.version >= 2 && out.widths.version <= 5 && out.first <= out.end;
}

std::optional<DwarfRef> reference(const DwarfUnitHeader& unit, const DwarfValue& value,
                                  bool is_alt) {
  if (value.kind == Kind::kUnitRef) return DwarfRef{unit.offset + value.number, is_alt};
  if (value.kind == Kind::kRef) return DwarfRef{value.number, is_alt};
  if (value.kind == Kind::kAltRef) return DwarfRef{value.number, true};
  return std::nullopt;
}

DwarfText text_place(const DwarfUnitHeader& unit, const DwarfValue& value) {
  using Place = DwarfText::Place;
  // No file has more strings: the place would be no number of 64 bits.
  constexpr std::uint64_t kMaxIndex = std::uint64_t{1} << 40;
  switch (value.kind) {
    case Kind::kText:
      return {Place::kHere, 0};
    case Kind::kStr:
      return {Place::kStr, value.number};
    case Kind::kLineStr:
      return {Place::kLineStr, value.number};
    case Kind::kAltStr:
      return {Place::kAltStr, value.number};
    case Kind::kStrIndex:
      if (value.number > kMaxIndex) return {};
      return {Place::kStrOffsets, unit.strings + value.number * unit.widths.offset_size};
    case Kind::kNothing:
    case Kind::kNumber:
    case Kind::kAddress:
    case Kind::kAddressIndex:
    case Kind::kRangesIndex:
    case Kind::kLocationsIndex:
    case Kind::kBlock:
    case Kind::kUnitRef:
    case Kind::kRef:
    case Kind::kAltRef:
    case Kind::kSignature:
      return {};
  }
  return {};
}

}  // namespace dt::symbol

// See locations.h.
//
// A location is an expression for a machine with a stack (DWARF 5, 2.5), which for nearly all
// variables is one operation: an address, a register, or a distance from the "frame base", which is
// where the function keeps its variables. Where a variable is in several places during the
// function, there is a list of expressions with ranges of code.

#include "symbol/dwarf/locations.h"

#include "symbol/dwarf/cursor.h"

namespace dt::symbol {
namespace {

using LocationKind = VariableLocation::Kind;

// Operations (7.7.1).
enum : std::uint8_t {
  kOpAddr = 0x03,
  kOpConst1u = 0x08,  // and up to 0x0f: of 1, 2, 4 and 8 bytes, each without and with a sign
  kOpConst8s = 0x0f,
  kOpConstu = 0x10,
  kOpConsts = 0x11,
  kOpLit0 = 0x30,
  kOpLit31 = 0x4f,
  kOpReg0 = 0x50,
  kOpBreg0 = 0x70,
  kOpLast = 0x8f,
  kOpFbreg = 0x91,
  kOpCallFrameCfa = 0x9c,
  kOpImplicitValue = 0x9e,
  kOpStackValue = 0x9f,
  kOpAddrx = 0xa1,
  kOpGnuAddrIndex = 0xfb,
};
// What an operation of a constant gives; nullopt: it is another one.
std::optional<std::int64_t> constant_of(std::uint8_t op, DwarfCursor& cursor) {
  constexpr unsigned kBitsPerByte = 8;
  if (op >= kOpLit0 && op <= kOpLit31) return op - kOpLit0;
  if (op == kOpConstu) return static_cast<std::int64_t>(cursor.uleb());
  if (op == kOpConsts) return cursor.sleb();
  if (op < kOpConst1u || op > kOpConst8s) return std::nullopt;
  const std::size_t size = std::size_t{1} << ((op - kOpConst1u) / 2);
  const unsigned unused = static_cast<unsigned>(sizeof(std::int64_t) - size) * kBitsPerByte;
  const bool is_signed = (op - kOpConst1u) % 2 != 0;
  const std::uint64_t bits = cursor.fixed(size) << unused;
  return is_signed ? static_cast<std::int64_t>(bits) >> unused
                   : static_cast<std::int64_t>(bits >> unused);
}

// A value that the debugging information has in full, in the bytes of the machine.
VariableLocation constant_in(std::span<const std::uint8_t> bytes) {
  if (bytes.empty() || bytes.size() > sizeof(std::int64_t)) return {};
  DwarfCursor cursor(bytes, 0, bytes.size());
  return {LocationKind::kConstant, 0, static_cast<std::int64_t>(cursor.fixed(bytes.size()))};
}

constexpr std::uint8_t kRegisters = 16;  // of those that a signal saves; rip is the one behind
constexpr std::uint64_t kMaxLocationBytes = 64 << 10;

}  // namespace

DwarfLocations::DwarfLocations(DwarfUnits& units, const std::shared_ptr<const ElfFile>& debug)
    : units_(units), lists_(debug, ".debug_loclists"), old_lists_(debug, ".debug_loc") {}

VariableLocation DwarfLocations::constant(const DwarfValue& value) {
  if (value.kind == DwarfValue::Kind::kBlock) return constant_in(value.block);
  if (value.kind != DwarfValue::Kind::kNumber) return {};
  return {LocationKind::kConstant, 0, static_cast<std::int64_t>(value.number)};
}

VariableLocation DwarfLocations::at(const DwarfUnit& unit, const DwarfValue& value,
                                    const DwarfValue& frame_base, std::uint64_t address) {
  if (value.kind == DwarfValue::Kind::kBlock) return expression(unit, value.block, frame_base);
  if (value.kind == DwarfValue::Kind::kLocationsIndex) {
    const auto offset = list_offset(unit, value.number);
    if (!offset) return {};
    return expression(unit, from_list(unit, unit.locations + *offset, address), frame_base);
  }
  if (value.kind != DwarfValue::Kind::kNumber) return {};
  constexpr int kListsOfItsOwn = 5;  // the version of DWARF
  return expression(unit,
                    unit.widths.version >= kListsOfItsOwn
                        ? from_list(unit, value.number, address)
                        : from_old_list(unit, value.number, address),
                    frame_base);
}

// Of the list of a number: the table in front of the lists has their distances from it.
std::optional<std::uint64_t> DwarfLocations::list_offset(const DwarfUnit& unit,
                                                         std::uint64_t number) {
  const std::size_t width = unit.widths.offset_size;
  if (number > lists_.size()) return std::nullopt;
  const auto bytes = lists_.part(unit.locations + number * width, width, room_);
  DwarfCursor cursor(bytes, 0, bytes.size());
  const std::uint64_t offset = cursor.fixed(width);
  return cursor.ok() ? std::optional(offset) : std::nullopt;
}

VariableLocation DwarfLocations::expression(const DwarfUnit& unit,
                                            std::span<const std::uint8_t> bytes,
                                            const DwarfValue& frame_base) {
  VariableLocation out;
  if (bytes.empty()) return out;
  DwarfCursor cursor(bytes, 0, bytes.size());
  const auto op = static_cast<std::uint8_t>(cursor.fixed(1));
  if (op == kOpAddr) {
    out = {LocationKind::kAddress, 0,
           static_cast<std::int64_t>(cursor.fixed(unit.widths.address_size))};
  } else if (op == kOpAddrx || op == kOpGnuAddrIndex) {
    DwarfValue index;
    index.kind = DwarfValue::Kind::kAddressIndex;
    index.number = cursor.uleb();
    const auto found = units_.address(unit, index);
    if (!found) return {};
    out = {LocationKind::kAddress, 0, static_cast<std::int64_t>(*found)};
  } else if (op == kOpCallFrameCfa) {
    out.kind = LocationKind::kFrame;
  } else if (op >= kOpReg0 && op < kOpReg0 + kRegisters) {
    out = {LocationKind::kRegister, static_cast<std::uint8_t>(op - kOpReg0), 0};
  } else if (op >= kOpBreg0 && op < kOpBreg0 + kRegisters) {
    out = {LocationKind::kAtRegister, static_cast<std::uint8_t>(op - kOpBreg0), cursor.sleb()};
  } else if (op == kOpFbreg && frame_base.kind == DwarfValue::Kind::kBlock) {
    out = expression(unit, frame_base.block, {});  // it is no distance from itself
    if (out.kind == LocationKind::kRegister) out.kind = LocationKind::kAtRegister;
    out.offset += cursor.sleb();
  } else if (op == kOpImplicitValue) {
    out = constant_in(cursor.bytes(cursor.uleb()));
  } else if (const auto number = constant_of(op, cursor)) {
    // Without the operation of a value it would be an address.
    if (cursor.at_end()) return {};
    out = {LocationKind::kConstant, 0, *number};
  }
  if (op != kOpImplicitValue && out.kind != LocationKind::kUnknown && !cursor.at_end()) {
    if (cursor.fixed(1) != kOpStackValue || out.kind == LocationKind::kRegister) return {};
    out.is_value = true;
  }
  return cursor.ok() && cursor.at_end() ? out : VariableLocation();
}

// .debug_loclists (7.7.3): entries of a kind, addresses as the kind has them, and an expression.
std::span<const std::uint8_t> DwarfLocations::from_list(const DwarfUnit& unit, std::uint64_t at,
                                                        std::uint64_t address) {
  enum : std::uint8_t {
    kEnd,
    kBaseIndex,
    kStartIndexEndIndex,
    kStartIndexLength,
    kOffsetPair,
    kDefault,
    kBase,
    kStartEnd,
    kStartLength,
    kView,  // of GNU: two numbers of views of lines
  };
  const auto bytes = lists_.part(at, kMaxLocationBytes, room_);
  DwarfCursor cursor(bytes, 0, bytes.size());
  const auto indexed = [&] {
    DwarfValue index;
    index.kind = DwarfValue::Kind::kAddressIndex;
    index.number = cursor.uleb();
    return units_.address(unit, index).value_or(0);
  };
  const std::size_t width = unit.widths.address_size;
  for (std::uint64_t base = unit.begin; cursor.ok() && !cursor.at_end();) {
    std::uint64_t begin = 0, end = 0;
    switch (static_cast<std::uint8_t>(cursor.fixed(1))) {
      case kBaseIndex:
        base = indexed();
        continue;
      case kBase:
        base = cursor.fixed(width);
        continue;
      case kView:
        cursor.uleb();
        cursor.uleb();
        continue;
      case kStartIndexEndIndex:
        begin = indexed();
        end = indexed();
        break;
      case kStartIndexLength:
        begin = indexed();
        end = begin + cursor.uleb();
        break;
      case kOffsetPair:
        begin = base + cursor.uleb();
        end = base + cursor.uleb();
        break;
      case kDefault:
        end = ~std::uint64_t{0};
        break;
      case kStartEnd:
        begin = cursor.fixed(width);
        end = cursor.fixed(width);
        break;
      case kStartLength:
        begin = cursor.fixed(width);
        end = begin + cursor.uleb();
        break;
      default:  // kEnd, and what is not known
        return {};
    }
    const auto found = cursor.bytes(cursor.uleb());
    if (address >= begin && address < end) return found;
  }
  return {};
}

// .debug_loc, before DWARF 5: pairs of addresses from the unit's on, and an expression.
std::span<const std::uint8_t> DwarfLocations::from_old_list(const DwarfUnit& unit, std::uint64_t at,
                                                            std::uint64_t address) {
  const auto bytes = old_lists_.part(at, kMaxLocationBytes, room_);
  DwarfCursor cursor(bytes, 0, bytes.size());
  const std::size_t width = unit.widths.address_size;
  for (std::uint64_t base = unit.begin; cursor.ok() && !cursor.at_end();) {
    const std::uint64_t begin = cursor.fixed(width), end = cursor.fixed(width);
    if (begin == 0 && end == 0) break;
    if (begin == ~std::uint64_t{0}) {
      base = end;
      continue;
    }
    constexpr std::size_t kLengthBytes = 2;
    const auto found = cursor.bytes(cursor.fixed(kLengthBytes));
    if (address >= base + begin && address < base + end) return found;
  }
  return {};
}

}  // namespace dt::symbol

// The values of attributes.

#include "symbol/dwarf/forms.h"

namespace dt::symbol {
namespace {

using Kind = DwarfValue::Kind;

// What a form is: how many bytes, and what they mean.
struct Form {
  enum class Size : std::uint8_t {
    kUnknown,
    kFixed,    // `bytes`
    kOffset,   // 4 or 8, as the unit has it
    kAddress,  // as the unit has it
    kUleb,
    kSleb,
    kText,
    kBlock,     // a length of `bytes` (0: uleb) and that many bytes
    kImplicit,  // in the abbreviation
    kPresent,   // no bytes: true
    kIndirect,  // the form stands before the value
  } size = Size::kUnknown;
  std::uint8_t bytes = 0;
  Kind kind = Kind::kNothing;
};

constexpr std::uint64_t kFormRefAddr = 0x10;

Form form_of(std::uint64_t form) {
  using Size = Form::Size;
  switch (form) {
    case 0x01:  // addr
      return {Size::kAddress, 0, Kind::kAddress};
    case 0x03:  // block2
      return {Size::kBlock, 2, Kind::kBlock};
    case 0x04:  // block4
      return {Size::kBlock, 4, Kind::kBlock};
    case 0x05:  // data2
      return {Size::kFixed, 2, Kind::kNumber};
    case 0x06:  // data4
      return {Size::kFixed, 4, Kind::kNumber};
    case 0x07:  // data8
      return {Size::kFixed, 8, Kind::kNumber};
    case 0x08:  // string
      return {Size::kText, 0, Kind::kText};
    case 0x09:  // block
    case 0x18:  // exprloc
      return {Size::kBlock, 0, Kind::kBlock};
    case 0x0a:  // block1
      return {Size::kBlock, 1, Kind::kBlock};
    case 0x0b:  // data1
    case 0x0c:  // flag
      return {Size::kFixed, 1, Kind::kNumber};
    case 0x0d:  // sdata
      return {Size::kSleb, 0, Kind::kNumber};
    case 0x0e:  // strp
      return {Size::kOffset, 0, Kind::kStr};
    case 0x0f:  // udata
      return {Size::kUleb, 0, Kind::kNumber};
    case kFormRefAddr:
      return {Size::kOffset, 0, Kind::kRef};
    case 0x11:  // ref1, ref2, ref4, ref8
      return {Size::kFixed, 1, Kind::kUnitRef};
    case 0x12:
      return {Size::kFixed, 2, Kind::kUnitRef};
    case 0x13:
      return {Size::kFixed, 4, Kind::kUnitRef};
    case 0x14:
      return {Size::kFixed, 8, Kind::kUnitRef};
    case 0x15:  // ref_udata
      return {Size::kUleb, 0, Kind::kUnitRef};
    case 0x16:
      return {Size::kIndirect, 0, Kind::kNothing};
    case 0x17:  // sec_offset
      return {Size::kOffset, 0, Kind::kNumber};
    case 0x19:
      return {Size::kPresent, 0, Kind::kNumber};
    case 0x1a:  // strx, GNU_str_index
    case 0x1f02:
      return {Size::kUleb, 0, Kind::kStrIndex};
    case 0x1b:  // addrx, GNU_addr_index
    case 0x1f01:
      return {Size::kUleb, 0, Kind::kAddressIndex};
    case 0x22:  // loclistx
      return {Size::kUleb, 0, Kind::kNothing};
    case 0x23:  // rnglistx
      return {Size::kUleb, 0, Kind::kRangesIndex};
    case 0x1c:  // ref_sup4, ref_sup8
      return {Size::kFixed, 4, Kind::kAltRef};
    case 0x24:
      return {Size::kFixed, 8, Kind::kAltRef};
    case 0x1d:  // strp_sup, GNU_strp_alt
    case 0x1f21:
      return {Size::kOffset, 0, Kind::kAltStr};
    case 0x1e:  // data16
      return {Size::kFixed, 16, Kind::kNothing};
    case 0x1f:  // line_strp
      return {Size::kOffset, 0, Kind::kLineStr};
    case 0x20:  // ref_sig8
      return {Size::kFixed, 8, Kind::kSignature};
    case kFormImplicitConst:
      return {Size::kImplicit, 0, Kind::kNumber};
    case 0x25:  // strx1 to strx4
    case 0x26:
    case 0x27:
    case 0x28:
      return {Size::kFixed, static_cast<std::uint8_t>(form - 0x24), Kind::kStrIndex};
    case 0x29:  // addrx1 to addrx4
    case 0x2a:
    case 0x2b:
    case 0x2c:
      return {Size::kFixed, static_cast<std::uint8_t>(form - 0x28), Kind::kAddressIndex};
    case 0x1f20:  // GNU_ref_alt
      return {Size::kOffset, 0, Kind::kAltRef};
    default:
      return {};
  }
}

}  // namespace

bool read_form(DwarfCursor& cursor, std::uint64_t form, std::int64_t implicit,
               const DwarfWidths& widths, DwarfValue& out) {
  Form how = form_of(form);
  if (how.size == Form::Size::kIndirect) {
    how = form_of(cursor.uleb());  // of which no form is indirect again
  }
  // In DWARF 2 a reference to the section was as wide as an address.
  if (how.kind == Kind::kRef && widths.version == 2) how.size = Form::Size::kAddress;
  out.kind = how.kind;
  switch (how.size) {
    case Form::Size::kUnknown:
    case Form::Size::kIndirect:
      return false;
    case Form::Size::kFixed:
      if (how.bytes > 8) {
        cursor.skip(how.bytes);
      } else {
        out.number = cursor.fixed(how.bytes);
      }
      break;
    case Form::Size::kOffset:
      out.number = cursor.fixed(widths.offset_size);
      break;
    case Form::Size::kAddress:
      out.number = cursor.fixed(widths.address_size);
      break;
    case Form::Size::kUleb:
      out.number = cursor.uleb();
      break;
    case Form::Size::kSleb:
      out.number = static_cast<std::uint64_t>(cursor.sleb());
      break;
    case Form::Size::kText:
      out.text = cursor.text();
      break;
    case Form::Size::kBlock: {
      const std::uint64_t length = how.bytes == 0 ? cursor.uleb() : cursor.fixed(how.bytes);
      out.block = cursor.bytes(length);
      break;
    }
    case Form::Size::kImplicit:
      out.number = static_cast<std::uint64_t>(implicit);
      break;
    case Form::Size::kPresent:
      out.number = 1;
      break;
  }
  return cursor.ok();
}

std::optional<std::uint64_t> member_location(const DwarfValue& value) {
  constexpr std::uint8_t kPlusUconst = 0x23;
  if (value.kind == Kind::kNumber) return value.number;
  if (value.kind != Kind::kBlock || value.block.empty() || value.block[0] != kPlusUconst) {
    return std::nullopt;
  }
  DwarfCursor cursor(value.block, 1, value.block.size());
  const std::uint64_t offset = cursor.uleb();
  return cursor.ok() && cursor.at_end() ? std::optional(offset) : std::nullopt;
}

}  // namespace dt::symbol

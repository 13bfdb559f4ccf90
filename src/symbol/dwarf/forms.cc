// The values of attributes.
//
// An attribute's value is encoded in a form, which the abbreviation names: a number of 1 to 8
// bytes, a LEB128, text in place or an offset of it in another section, a reference, a block. A
// form that is unknown ends the reading of the unit, because its length is unknown, too.
//
// DW_FORM_strx and addrx are indices in a table whose base is an attribute of the unit; the forms
// ending in _sup (GNU: _alt) lead into the file that dwz made for several others.

#include "symbol/dwarf/forms.h"

#include <algorithm>
#include <iterator>

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

// DWARF 5, 7.5.6, and what GNU added to DWARF 4 for debug files that are split or shared.
constexpr struct {
  std::uint64_t number;
  Form form;
} kForms[] = {
    {0x01, {Form::Size::kAddress, 0, Kind::kAddress}},                // addr
    {0x03, {Form::Size::kBlock, 2, Kind::kBlock}},                    // block2
    {0x04, {Form::Size::kBlock, 4, Kind::kBlock}},                    // block4
    {0x05, {Form::Size::kFixed, 2, Kind::kNumber}},                   // data2
    {0x06, {Form::Size::kFixed, 4, Kind::kNumber}},                   // data4
    {0x07, {Form::Size::kFixed, 8, Kind::kNumber}},                   // data8
    {0x08, {Form::Size::kText, 0, Kind::kText}},                      // string
    {0x09, {Form::Size::kBlock, 0, Kind::kBlock}},                    // block
    {0x0a, {Form::Size::kBlock, 1, Kind::kBlock}},                    // block1
    {0x0b, {Form::Size::kFixed, 1, Kind::kNumber}},                   // data1
    {0x0c, {Form::Size::kFixed, 1, Kind::kNumber}},                   // flag
    {0x0d, {Form::Size::kSleb, 0, Kind::kNumber}},                    // sdata
    {0x0e, {Form::Size::kOffset, 0, Kind::kStr}},                     // strp
    {0x0f, {Form::Size::kUleb, 0, Kind::kNumber}},                    // udata
    {kFormRefAddr, {Form::Size::kOffset, 0, Kind::kRef}},             // ref_addr
    {0x11, {Form::Size::kFixed, 1, Kind::kUnitRef}},                  // ref1
    {0x12, {Form::Size::kFixed, 2, Kind::kUnitRef}},                  // ref2
    {0x13, {Form::Size::kFixed, 4, Kind::kUnitRef}},                  // ref4
    {0x14, {Form::Size::kFixed, 8, Kind::kUnitRef}},                  // ref8
    {0x15, {Form::Size::kUleb, 0, Kind::kUnitRef}},                   // ref_udata
    {0x16, {Form::Size::kIndirect, 0, Kind::kNothing}},               // indirect
    {0x17, {Form::Size::kOffset, 0, Kind::kNumber}},                  // sec_offset
    {0x18, {Form::Size::kBlock, 0, Kind::kBlock}},                    // exprloc
    {0x19, {Form::Size::kPresent, 0, Kind::kNumber}},                 // flag_present
    {0x1a, {Form::Size::kUleb, 0, Kind::kStrIndex}},                  // strx
    {0x1b, {Form::Size::kUleb, 0, Kind::kAddressIndex}},              // addrx
    {0x1c, {Form::Size::kFixed, 4, Kind::kAltRef}},                   // ref_sup4
    {0x1d, {Form::Size::kOffset, 0, Kind::kAltStr}},                  // strp_sup
    {0x1e, {Form::Size::kFixed, 16, Kind::kNothing}},                 // data16
    {0x1f, {Form::Size::kOffset, 0, Kind::kLineStr}},                 // line_strp
    {0x20, {Form::Size::kFixed, 8, Kind::kSignature}},                // ref_sig8
    {kFormImplicitConst, {Form::Size::kImplicit, 0, Kind::kNumber}},  // implicit_const
    {0x22, {Form::Size::kUleb, 0, Kind::kLocationsIndex}},            // loclistx
    {0x23, {Form::Size::kUleb, 0, Kind::kRangesIndex}},               // rnglistx
    {0x24, {Form::Size::kFixed, 8, Kind::kAltRef}},                   // ref_sup8
    {0x25, {Form::Size::kFixed, 1, Kind::kStrIndex}},                 // strx1
    {0x26, {Form::Size::kFixed, 2, Kind::kStrIndex}},                 // strx2
    {0x27, {Form::Size::kFixed, 3, Kind::kStrIndex}},                 // strx3
    {0x28, {Form::Size::kFixed, 4, Kind::kStrIndex}},                 // strx4
    {0x29, {Form::Size::kFixed, 1, Kind::kAddressIndex}},             // addrx1
    {0x2a, {Form::Size::kFixed, 2, Kind::kAddressIndex}},             // addrx2
    {0x2b, {Form::Size::kFixed, 3, Kind::kAddressIndex}},             // addrx3
    {0x2c, {Form::Size::kFixed, 4, Kind::kAddressIndex}},             // addrx4
    {0x1f01, {Form::Size::kUleb, 0, Kind::kAddressIndex}},            // GNU_addr_index
    {0x1f02, {Form::Size::kUleb, 0, Kind::kStrIndex}},                // GNU_str_index
    {0x1f20, {Form::Size::kOffset, 0, Kind::kAltRef}},                // GNU_ref_alt
    {0x1f21, {Form::Size::kOffset, 0, Kind::kAltStr}},                // GNU_strp_alt
};

Form form_of(std::uint64_t form) {
  const auto* const found = std::find_if(std::begin(kForms), std::end(kForms),
                                         [form](const auto& one) { return one.number == form; });
  return found == std::end(kForms) ? Form{} : found->form;
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

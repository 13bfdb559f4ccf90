// Units, abbreviations and entries of DWARF.

#include "types/dwarf.h"

#include <algorithm>

#include "symbol/dwarf/cursor.h"
#include "symbol/dwarf/forms.h"

namespace dt::types {

using symbol::DwarfAbbreviations;
using symbol::DwarfAttribute;
using symbol::DwarfCursor;
using symbol::DwarfValue;
using symbol::kUnitSkeleton;
using symbol::kUnitSplitCompile;
using symbol::kUnitSplitType;
using symbol::kUnitType;

namespace {

constexpr std::uint64_t kDwarf64 = 0xffffffff;
// Units may share abbreviations; more than this in all are a knot.
constexpr std::size_t kMaxAttributes = std::size_t{32} << 20;
constexpr std::size_t kMaxUnits = std::size_t{4} << 20;

}  // namespace

class Dwarf::Cursor : public DwarfCursor {
 public:
  using DwarfCursor::DwarfCursor;
};

struct Dwarf::Value : DwarfValue {};

Result<std::unique_ptr<Dwarf>> Dwarf::parse(const DwarfSections& sections,
                                            std::unique_ptr<Dwarf> alt) {
  std::unique_ptr<Dwarf> dwarf(new Dwarf());
  dwarf->sections_ = sections;
  if (alt != nullptr) alt->is_alt_ = true;
  dwarf->alt_ = std::move(alt);
  dwarf->read_units();
  if (dwarf->units_.empty() && !dwarf->damage_.empty()) {
    return Error{"DWARF: " + dwarf->damage_, 0, "", ""};
  }
  return dwarf;
}

void Dwarf::read_units() {
  std::uint64_t at = 0;
  while (at < sections_.info.size()) {
    if (units_.size() >= kMaxUnits) {
      damage_ = "too many units";
      return;
    }
    Cursor cursor(sections_.info, at, sections_.info.size());
    if (!read_unit(cursor)) {
      damage_ = fmt::format("the unit at {:#x} is damaged", at);
      return;
    }
    Unit& unit = units_.back();
    at = unit.end;
    const auto root = decode(unit, unit.first);
    if (root && root->str_offsets_base != 0) unit.str_offsets_base = root->str_offsets_base;
  }
}

// length | version | [kind | address size] | abbreviations | ...
bool Dwarf::read_unit(Cursor& cursor) {
  Unit unit;
  unit.offset = cursor.at();
  std::uint64_t length = cursor.fixed(4);
  if (length == kDwarf64) {
    unit.offset_size = 8;
    length = cursor.fixed(8);
  }
  if (!cursor.ok() || length == 0 || length > cursor.left()) return false;
  unit.end = cursor.at() + length;
  unit.version = static_cast<std::uint16_t>(cursor.fixed(2));
  if (unit.version >= 5) {
    unit.kind = static_cast<std::uint8_t>(cursor.fixed(1));
    unit.address_size = static_cast<std::uint8_t>(cursor.fixed(1));
    unit.abbrev_offset = cursor.fixed(unit.offset_size);
    if (unit.kind == kUnitSkeleton || unit.kind == kUnitSplitCompile) cursor.skip(8);
    if (unit.kind == kUnitType || unit.kind == kUnitSplitType) {
      unit.signature = cursor.fixed(8);
      unit.type_offset = cursor.fixed(unit.offset_size);
    }
  } else {
    unit.abbrev_offset = cursor.fixed(unit.offset_size);
    unit.address_size = static_cast<std::uint8_t>(cursor.fixed(1));
  }
  if (!cursor.ok() || unit.version < 2 || unit.version > 5 || cursor.at() > unit.end) return false;
  unit.first = cursor.at();
  unit.dwarf = this;
  if (unit.signature != 0 && unit.type_offset < length) {
    signatures_.emplace(unit.signature, DieRef{unit.offset + unit.type_offset, false});
  }
  // The offsets of strings begin after a header, where the unit does not say.
  unit.str_offsets_base = unit.offset_size == 8 ? 16 : 8;
  units_.push_back(unit);
  return true;
}

const DwarfAbbreviations& Dwarf::table(std::uint64_t offset) const {
  const auto [at, is_new] = tables_.try_emplace(offset);
  if (is_new) {
    at->second = DwarfAbbreviations::read(Cursor(sections_.abbrev, offset, sections_.abbrev.size()),
                                          kMaxAttributes - std::min(kMaxAttributes, attributes_));
    attributes_ += at->second.attribute_count();
  }
  return at->second;
}

const Dwarf::Unit* Dwarf::unit_of(std::uint64_t offset) const {
  const auto after =
      std::upper_bound(units_.begin(), units_.end(), offset,
                       [](std::uint64_t value, const Unit& unit) { return value < unit.offset; });
  if (after == units_.begin()) return nullptr;
  const Unit& unit = *std::prev(after);
  return offset >= unit.first && offset < unit.end ? &unit : nullptr;
}

std::optional<Dwarf::Die> Dwarf::at(DieRef ref) const {
  if (ref.in_alt && !is_alt_) return alt_ == nullptr ? std::nullopt : alt_->at(ref);
  const Unit* const unit = unit_of(ref.offset);
  return unit == nullptr ? std::nullopt : decode(*unit, ref.offset);
}

std::optional<Dwarf::Die> Dwarf::following(const Die& die) const {
  return die.next < die.unit->end ? decode(*die.unit, die.next) : std::nullopt;
}

// Without a reference to its sibling, an entry's children are walked over.
std::optional<Dwarf::Die> Dwarf::after(const Die& die) const {
  const Dwarf& own = *home(die);
  if (!die.has_children) return own.following(die);
  if (die.sibling && *die.sibling > die.offset && *die.sibling < die.unit->end) {
    return own.decode(*die.unit, *die.sibling);
  }
  std::size_t depth = 1;
  std::optional<Die> inner = own.following(die);
  while (inner) {
    if (inner->tag == DwTag::kNone) {
      if (--depth == 0) return own.following(*inner);
    } else if (inner->has_children) {
      if (inner->sibling && *inner->sibling > inner->offset && *inner->sibling < inner->unit->end) {
        inner = own.decode(*inner->unit, *inner->sibling);
        continue;
      }
      ++depth;
    }
    inner = own.following(*inner);
  }
  return std::nullopt;
}

std::optional<DieRef> Dwarf::type_of_signature(std::uint64_t signature) const {
  const auto found = signatures_.find(signature);
  return found == signatures_.end() ? std::nullopt : std::optional(found->second);
}

std::optional<Dwarf::Die> Dwarf::decode(const Unit& unit, std::uint64_t offset) const {
  Cursor cursor(sections_.info, offset, unit.end);
  Die die;
  die.unit = &unit;
  die.offset = offset;
  const std::uint64_t code = cursor.uleb();
  if (!cursor.ok()) return std::nullopt;
  if (code == 0) {
    die.next = cursor.at();
    return die;
  }
  const DwarfAbbreviations& abbreviations = table(unit.abbrev_offset);
  const DwarfAbbreviations::Entry* const entry = abbreviations.find(code);
  if (entry == nullptr) return std::nullopt;
  die.tag = static_cast<DwTag>(entry->tag);
  die.has_children = entry->has_children;
  for (const DwarfAbbreviations::Attribute& attribute : abbreviations.attributes(*entry)) {
    Value value;
    if (!read_value(cursor, unit, attribute.form, attribute.implicit, value)) return std::nullopt;
    apply(attribute.name, value, unit, die);
  }
  die.next = cursor.at();
  return cursor.ok() ? std::optional(die) : std::nullopt;
}

bool Dwarf::read_value(Cursor& cursor, const Unit& unit, std::uint64_t form, std::int64_t implicit,
                       Value& out) const {
  return symbol::read_form(cursor, form, implicit,
                           {unit.version, unit.address_size, unit.offset_size}, out);
}

std::string_view Dwarf::string(const Unit& unit, const Value& value) const {
  const auto text_at = [](DwarfSections::Bytes bytes, std::uint64_t offset) {
    return DwarfCursor(bytes, offset, bytes.size()).text();
  };
  switch (value.kind) {
    case DwarfValue::Kind::kText:
      return value.text;
    case DwarfValue::Kind::kStr:
      return text_at(sections_.str, value.number);
    case DwarfValue::Kind::kLineStr:
      return text_at(sections_.line_str, value.number);
    case DwarfValue::Kind::kAltStr:
      return alt_ == nullptr ? std::string_view() : text_at(alt_->sections_.str, value.number);
    case DwarfValue::Kind::kStrIndex: {
      if (value.number > sections_.str_offsets.size()) return {};
      const std::uint64_t at = unit.str_offsets_base + value.number * unit.offset_size;
      DwarfCursor cursor(sections_.str_offsets, at, sections_.str_offsets.size());
      const std::uint64_t offset = cursor.fixed(unit.offset_size);
      return cursor.ok() ? text_at(sections_.str, offset) : std::string_view();
    }
    case DwarfValue::Kind::kNothing:
    case DwarfValue::Kind::kNumber:
    case DwarfValue::Kind::kAddress:
    case DwarfValue::Kind::kAddressIndex:
    case DwarfValue::Kind::kRangesIndex:
    case DwarfValue::Kind::kBlock:
    case DwarfValue::Kind::kUnitRef:
    case DwarfValue::Kind::kRef:
    case DwarfValue::Kind::kAltRef:
    case DwarfValue::Kind::kSignature:
      return {};
  }
  return {};
}

std::optional<DieRef> Dwarf::reference(const Unit& unit, const Value& value) const {
  switch (value.kind) {
    case DwarfValue::Kind::kUnitRef:
      return DieRef{unit.offset + value.number, is_alt_};
    case DwarfValue::Kind::kRef:
      return DieRef{value.number, is_alt_};
    case DwarfValue::Kind::kAltRef:
      return DieRef{value.number, true};
    case DwarfValue::Kind::kSignature:
      return type_of_signature(value.number);
    case DwarfValue::Kind::kNothing:
    case DwarfValue::Kind::kNumber:
    case DwarfValue::Kind::kAddress:
    case DwarfValue::Kind::kAddressIndex:
    case DwarfValue::Kind::kRangesIndex:
    case DwarfValue::Kind::kBlock:
    case DwarfValue::Kind::kText:
    case DwarfValue::Kind::kStr:
    case DwarfValue::Kind::kLineStr:
    case DwarfValue::Kind::kAltStr:
    case DwarfValue::Kind::kStrIndex:
      return std::nullopt;
  }
  return std::nullopt;
}

void Dwarf::apply(std::uint64_t attribute, const Value& value, const Unit& unit, Die& die) const {
  const bool is_number = value.kind == DwarfValue::Kind::kNumber;
  const auto number = [&](std::optional<std::uint64_t>& to) {
    if (is_number) to = value.number;
  };
  switch (static_cast<DwarfAttribute>(attribute)) {
    case DwarfAttribute::kName:
      die.name = string(unit, value);
      break;
    case DwarfAttribute::kType:
      die.type = reference(unit, value);
      break;
    case DwarfAttribute::kSpecification:
    case DwarfAttribute::kAbstractOrigin:
      die.specification = reference(unit, value);
      break;
    case DwarfAttribute::kSignature:
      if (value.kind == DwarfValue::Kind::kSignature) die.signature = value.number;
      break;
    case DwarfAttribute::kSibling:
      if (const auto sibling = reference(unit, value)) die.sibling = sibling->offset;
      break;
    case DwarfAttribute::kByteSize:
      number(die.byte_size);
      break;
    case DwarfAttribute::kBitSize:
      number(die.bit_size);
      break;
    case DwarfAttribute::kBitOffset:
      number(die.bit_offset);
      break;
    case DwarfAttribute::kDataBitOffset:
      number(die.data_bit_offset);
      break;
    case DwarfAttribute::kCount:
      number(die.count);
      break;
    case DwarfAttribute::kUpperBound:
      number(die.upper_bound);
      break;
    case DwarfAttribute::kDataMemberLocation:
      die.location = symbol::member_location(value);
      die.is_elsewhere = !die.location.has_value();
      break;
    case DwarfAttribute::kConstValue:
      if (is_number) die.value = static_cast<std::int64_t>(value.number);
      break;
    case DwarfAttribute::kLanguage:
      die.language = value.number;
      break;
    case DwarfAttribute::kEncoding:
      die.encoding = value.number;
      break;
    case DwarfAttribute::kDeclaration:
      die.is_declaration = value.number != 0;
      break;
    case DwarfAttribute::kExternal:
      die.is_external = value.number != 0;
      break;
    case DwarfAttribute::kDwoName:
    case DwarfAttribute::kGnuDwoName:
      die.is_split = true;
      break;
    case DwarfAttribute::kStrOffsetsBase:
      die.str_offsets_base = value.number;
      break;
    case DwarfAttribute::kStmtList:
    case DwarfAttribute::kLowPc:
    case DwarfAttribute::kHighPc:
    case DwarfAttribute::kCompDir:
    case DwarfAttribute::kRanges:
    case DwarfAttribute::kCallFile:
    case DwarfAttribute::kCallLine:
    case DwarfAttribute::kLinkageName:
    case DwarfAttribute::kAddrBase:
    case DwarfAttribute::kRnglistsBase:
    case DwarfAttribute::kMipsLinkageName:
      break;  // of code, not of types
  }
}

}  // namespace dt::types

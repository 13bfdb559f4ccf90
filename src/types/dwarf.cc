// Units, abbreviations and entries of DWARF.
//
// What is read of DWARF (versions 2 to 5) for types: a file's .debug_info is a sequence of units, a
// unit a tree of entries (DIEs).
//
//   unit:   header | entry | entry | ...
//   entry:  number of an abbreviation (ULEB128) | values, as the abbreviation says
//           number 0: the end of the children of an entry
//
// An entry does not have its length, so finding the next one means decoding this one; a sibling
// attribute, where there is one, spares the children. References are offsets in the unit or in the
// section; a file made by dwz refers to entries of a second file in addition, which several files
// share ("alt").
//
// Abbreviations are read once for each of their tables. All sizes are limited: two units may name
// the same abbreviations, and a small file could otherwise claim any amount of work.

#include "types/dwarf.h"

#include <algorithm>

#include "symbol/dwarf/cursor.h"

namespace dt::types {

using symbol::DwarfAbbreviations;
using symbol::DwarfAttribute;
using symbol::DwarfCursor;
using symbol::DwarfValue;

namespace {

// Units may share abbreviations; more than this in all are a knot.
constexpr std::size_t kMaxAttributes = std::size_t{32} << 20;
constexpr std::size_t kMaxUnits = std::size_t{4} << 20;

}  // namespace

Result<std::unique_ptr<Dwarf>> Dwarf::parse(const DwarfSections& sections,
                                            std::unique_ptr<Dwarf> alt) {
  std::unique_ptr<Dwarf> dwarf(new Dwarf());
  dwarf->sections_ = sections;
  if (alt != nullptr) alt->is_alt_ = true;
  dwarf->alt_ = std::move(alt);
  dwarf->read_units();
  if (dwarf->units_.empty() && !dwarf->damage_.empty()) {
    return Error::of("DWARF: " + dwarf->damage_);
  }
  return dwarf;
}

void Dwarf::read_units() {
  const symbol::UnitWalk walk = symbol::walk_units(
      sections_.info.size(), kMaxUnits,
      [&](std::uint64_t at, std::uint64_t size) {
        return sections_.info.subspan(at, std::min(size, sections_.info.size() - at));
      },
      [&](const symbol::DwarfUnitHeader& header) { add_unit(header); });
  switch (walk.end) {
    case symbol::UnitWalk::End::kWhole:
      break;
    case symbol::UnitWalk::End::kDamaged:
      damage_ = fmt::format("the unit at {:#x} is damaged", walk.at);
      break;
    case symbol::UnitWalk::End::kTooMany:
      damage_ = "too many units";
      break;
  }
}

void Dwarf::add_unit(const symbol::DwarfUnitHeader& header) {
  Unit& unit = units_.emplace_back(Unit{header, this});
  if (unit.signature != 0 && unit.type_offset < unit.end - unit.offset) {
    signatures_.emplace(unit.signature, DieRef{unit.offset + unit.type_offset, false});
  }
  // The base of string offsets (DWARF 5) is an attribute of the root, which may itself have a name
  // that needs it. Nothing is read of the root before.
  const auto root = decode(unit, unit.first);
  if (root && root->str_offsets_base != 0) unit.strings = root->str_offsets_base;
}

const DwarfAbbreviations& Dwarf::table(std::uint64_t offset) const {
  const auto [at, is_new] = tables_.try_emplace(offset);
  if (is_new) {
    at->second =
        DwarfAbbreviations::read(DwarfCursor(sections_.abbrev, offset, sections_.abbrev.size()),
                                 kMaxAttributes - std::min(kMaxAttributes, attributes_));
    attributes_ += at->second.attribute_count();
  }
  return at->second;
}

const Dwarf::Unit* Dwarf::unit_of(std::uint64_t offset) const {
  const auto found = symbol::find_unit(units_, offset);
  return found != units_.end() && offset >= found->first ? &*found : nullptr;
}

std::optional<Dwarf::Die> Dwarf::at(DieRef ref) const {
  if (ref.in_alt && !is_alt_) return alt_ == nullptr ? std::nullopt : alt_->at(ref);
  const Unit* const unit = unit_of(ref.offset);
  return unit == nullptr ? std::nullopt : decode(*unit, ref.offset);
}

std::optional<Dwarf::Die> Dwarf::following(const Die& die) const {
  return die.next < die.unit->end ? decode(*die.unit, die.next) : std::nullopt;
}

// Without a reference to its sibling, an entry's children are walked over, by depth: an entry with
// children opens a level, one of number 0 closes it.
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
  DwarfCursor cursor(sections_.info, offset, unit.end);
  Die die;
  die.unit = &unit;
  die.offset = offset;
  const auto begin = [&](std::uint16_t tag, bool has_children) {
    die.tag = static_cast<DwTag>(tag);
    die.has_children = has_children;
    return true;
  };
  const bool is_read = symbol::read_entry(cursor, unit.widths, table(unit.abbreviations), begin,
                                          [&](std::uint64_t attribute, const DwarfValue& value) {
                                            apply(attribute, value, unit, die);
                                          });
  die.next = cursor.at();
  return is_read ? std::optional(die) : std::nullopt;
}

std::string_view Dwarf::string(const Unit& unit, const Value& value) const {
  const auto text_at = [](DwarfSections::Bytes bytes, std::uint64_t offset) {
    return DwarfCursor(bytes, offset, bytes.size()).text();
  };
  const symbol::DwarfText text = symbol::text_place(unit, value);
  switch (text.place) {
    case symbol::DwarfText::Place::kNone:
      return {};
    case symbol::DwarfText::Place::kHere:
      return value.text;
    case symbol::DwarfText::Place::kStr:
      return text_at(sections_.str, text.at);
    case symbol::DwarfText::Place::kLineStr:
      return text_at(sections_.line_str, text.at);
    case symbol::DwarfText::Place::kAltStr:
      return alt_ == nullptr ? std::string_view() : text_at(alt_->sections_.str, text.at);
    case symbol::DwarfText::Place::kStrOffsets: {
      DwarfCursor cursor(sections_.str_offsets, text.at, sections_.str_offsets.size());
      const std::uint64_t offset = cursor.fixed(unit.widths.offset_size);
      return cursor.ok() ? text_at(sections_.str, offset) : std::string_view();
    }
  }
  return {};
}

std::optional<DieRef> Dwarf::reference(const Unit& unit, const Value& value) const {
  if (value.kind == DwarfValue::Kind::kSignature) return type_of_signature(value.number);
  return symbol::reference(unit, value, is_alt_);
}

// A table: which member of the entry each attribute is (DWARF 5, 7.5.4).
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
    case DwarfAttribute::kGnuVector:
      die.is_vector = value.number != 0;
      break;
    case DwarfAttribute::kDwoName:
    case DwarfAttribute::kGnuDwoName:
      die.is_split = true;
      break;
    case DwarfAttribute::kStrOffsetsBase:
      die.str_offsets_base = value.number;
      break;
    default:
      break;  // of code, not of types
  }
}

}  // namespace dt::types

// Where units are, and what their entries say.
//
// To name a place of code, one unit of hundreds is needed. So the headers of all units are read
// first, with the ranges of code that their root entries have, and a unit's entries only when an
// address of it is asked for.

#include "symbol/dwarf/units.h"

#include <algorithm>

namespace dt::symbol {
namespace {

using ValueKind = DwarfValue::Kind;

constexpr std::uint64_t kDwarf64 = 0xffffffff;
constexpr std::uint32_t kNoUnit = ~std::uint32_t{0};
constexpr std::size_t kMaxUnits = std::size_t{1} << 18;
constexpr std::uint64_t kMaxUnitBytes = std::uint64_t{128} << 20;
constexpr std::uint64_t kMaxListedBytes = std::uint64_t{64} << 20;  // of .debug_aranges
constexpr std::size_t kMaxAttributes = 1 << 16;                     // of one table
constexpr std::size_t kMaxTables = 64, kMaxDwarfNameBytes = 4 << 20;
constexpr int kMaxOrigins = 8;
// Most entries, and tables of abbreviations, are no longer than the first of these, and
// those that are read none than the second.
constexpr std::uint64_t kEntryBytes = 1 << 10, kMaxEntryBytes = 64 << 10;
constexpr std::uint64_t kTableBytes = 8 << 10, kMaxDwarfTableBytes = 4 << 20;

bool is_of_code(CodeTag tag) {
  switch (tag) {
    case CodeTag::kCompileUnit:
    case CodeTag::kInlined:
    case CodeTag::kFunction:
    case CodeTag::kPartialUnit:
    case CodeTag::kSkeletonUnit:
      return true;
    case CodeTag::kEnd:
      return false;
  }
  return false;  // one of the many others
}

}  // namespace

DwarfUnits::DwarfUnits(std::shared_ptr<const ElfFile> elf, std::shared_ptr<const ElfFile> alt)
    : info_(elf, ".debug_info"),
      abbrev_(elf, ".debug_abbrev"),
      str_(elf, ".debug_str"),
      line_str_(elf, ".debug_line_str"),
      str_offsets_(elf, ".debug_str_offsets"),
      addr_(elf, ".debug_addr"),
      aranges_(elf, ".debug_aranges"),
      rnglists_(elf, ".debug_rnglists"),
      ranges_(elf, ".debug_ranges"),
      line_(elf, ".debug_line") {
  if (alt != nullptr) {
    alt_ = std::make_unique<DwarfUnits>(std::move(alt), nullptr);
    alt_->is_alt_ = true;
  }
}

void DwarfUnits::index() {
  if (std::exchange(is_indexed_, true)) return;
  ElfFile::Bytes room;
  walk_units(
      info_.size(), kMaxUnits,
      [&](std::uint64_t at, std::uint64_t size) { return info_.part(at, size, room); },
      [&](const DwarfUnitHeader& header) {
        static_cast<DwarfUnitHeader&>(units_.emplace_back()) = header;
      });
  if (is_alt_) return;  // it has no code
  std::vector<UnitRange> code;
  const std::vector<std::uint64_t> listed = read_address_ranges(code);
  for (std::uint32_t i = 0; i < units_.size(); ++i) {
    DwarfUnit& unit = units_[i];
    if (std::binary_search(listed.begin(), listed.end(), unit.offset)) continue;
    if (const auto root = prepare(unit)) {
      for_ranges(unit, *root, [&](std::uint64_t begin, std::uint64_t end) {
        code.push_back({begin, end, i});
      });
    }
  }
  // What several units have compiled alike is in the program once. The linker keeps the copy of
  // the first of them and gives its address to the others, whose entries describe code that is
  // gone: of equal ranges, that of the first unit is the one that RangeIndex must find.
  std::stable_sort(code.begin(), code.end(),
                   [](const UnitRange& a, const UnitRange& b) { return a.unit > b.unit; });
  for (const UnitRange& range : code) code_.add(range.begin, range.end, range.unit);
  code_.order();
}

// length | version | unit | address size | segment size | padding | address, size | ... | 0, 0
std::vector<std::uint64_t> DwarfUnits::read_address_ranges(std::vector<UnitRange>& code) {
  std::vector<std::uint64_t> listed;
  ElfFile::Bytes room;
  const auto bytes = aranges_.part(0, kMaxListedBytes, room);
  DwarfCursor cursor(bytes, 0, bytes.size());
  while (cursor.ok() && !cursor.at_end()) {
    const std::uint64_t begin = cursor.at();
    std::uint64_t length = cursor.fixed(4);
    const std::size_t offset_size = length == kDwarf64 ? 8 : 4;
    if (length == kDwarf64) length = cursor.fixed(8);
    if (!cursor.ok() || length > cursor.left()) break;
    DwarfCursor set(bytes, cursor.at(), cursor.at() + length);
    cursor.skip(length);
    set.skip(2);
    const std::uint64_t unit = set.fixed(offset_size);
    const std::size_t width = set.fixed(1);
    const std::uint64_t segment = set.fixed(1);
    const std::uint32_t number = number_of(unit);
    if (!set.ok() || width == 0 || width > 8 || segment != 0 || number == kNoUnit ||
        units_[number].offset != unit) {
      continue;
    }
    if (const std::uint64_t over = (set.at() - begin) % (2 * width)) set.skip(2 * width - over);
    bool has_any = false;
    while (set.left() >= 2 * width) {
      const std::uint64_t address = set.fixed(width), size = set.fixed(width);
      if (address == 0 && size == 0) break;
      code.push_back({address, address + size, number});
      has_any = true;
    }
    if (has_any) listed.push_back(unit);
  }
  aranges_.let_go();
  std::sort(listed.begin(), listed.end());
  return listed;
}

std::uint32_t DwarfUnits::number_of(std::uint64_t offset) const {
  const auto found = find_unit(units_, offset);
  return found == units_.end() ? kNoUnit : static_cast<std::uint32_t>(found - units_.begin());
}

const DwarfUnit* DwarfUnits::at_code(std::uint64_t address) {
  range_work_ = 0;
  index();
  const std::optional<std::uint32_t> number = code_.find(address);
  if (!number) return nullptr;
  prepare(units_[*number]);
  return &units_[*number];
}

std::optional<CodeEntry> DwarfUnits::prepare(DwarfUnit& unit) {
  if (std::exchange(unit.is_prepared, true)) return std::nullopt;
  ElfFile::Bytes room;
  std::optional<CodeEntry> root = entry_at(unit, unit.first, room);
  if (!root) return std::nullopt;
  unit.line_table = root->line_table;
  if (root->strings_base != 0) unit.strings = root->strings_base;
  if (root->addresses_base != 0) unit.addresses = root->addresses_base;
  if (root->ranges_base != 0) unit.ranges = root->ranges_base;
  if (root->locations_base != 0) unit.locations = root->locations_base;
  unit.begin = address(unit, root->low).value_or(0);
  // What stands in `room` goes.
  root->name = root->linkage_name = root->directory = {};
  return root;
}

std::shared_ptr<const DwarfAbbreviations> DwarfUnits::table(const DwarfUnit& unit) {
  if (tables_.size() >= kMaxTables) tables_.clear();
  auto& made = tables_[unit.abbreviations];
  ElfFile::Bytes room;
  for (std::uint64_t most = kTableBytes; made == nullptr; most *= 8) {
    const auto bytes = abbrev_.part(unit.abbreviations, most, room);
    auto read = DwarfAbbreviations::read(DwarfCursor(bytes, 0, bytes.size()), kMaxAttributes);
    if (read.is_whole() || bytes.size() < most || most * 8 > kMaxDwarfTableBytes) {
      made = std::make_shared<const DwarfAbbreviations>(std::move(read));
    }
  }
  return made;
}

std::span<const std::uint8_t> DwarfUnits::entries(const DwarfUnit& unit, ElfFile::Bytes& room) {
  const std::uint64_t size = unit.end - unit.first;
  return size > kMaxUnitBytes ? std::span<const std::uint8_t>()
                              : info_.part(unit.first, size, room);
}

std::optional<CodeEntry> DwarfUnits::entry_at(const DwarfUnit& unit, std::uint64_t offset,
                                              ElfFile::Bytes& room) {
  if (offset < unit.first || offset >= unit.end) return std::nullopt;
  const auto abbreviations = table(unit);
  for (std::uint64_t most = kEntryBytes; most <= kMaxEntryBytes;
       most = most * kMaxEntryBytes / kEntryBytes) {
    const auto bytes = info_.part(offset, std::min(most, unit.end - offset), room);
    DwarfCursor cursor(bytes, 0, bytes.size());
    CodeEntry entry;
    if (decode(unit, *abbreviations, offset, cursor, entry)) return entry;
    if (bytes.size() < most) break;
  }
  return std::nullopt;
}

bool DwarfUnits::decode(const DwarfUnit& unit, const DwarfAbbreviations& table, std::uint64_t base,
                        DwarfCursor& cursor, CodeEntry& out) const {
  const std::uint64_t offset = base + cursor.at();
  const auto begin = [&](std::uint16_t tag, bool has_children) {
    const bool is_wanted = is_of_code(static_cast<CodeTag>(tag));
    if (is_wanted) out = CodeEntry{};
    out.offset = offset;
    out.tag = static_cast<CodeTag>(tag);
    out.has_children = has_children;
    return is_wanted;
  };
  return read_entry(cursor, unit.widths, table, begin,
                    [&](std::uint64_t attribute, const DwarfValue& value) {
                      apply(attribute, value, unit, out);
                    });
}

void DwarfUnits::apply(std::uint64_t attribute, const DwarfValue& value, const DwarfUnit& unit,
                       CodeEntry& out) const {
  const bool is_number = value.kind == ValueKind::kNumber;
  if (attribute == static_cast<std::uint64_t>(DwarfAttribute::kName)) {
    out.name = value;
  } else if (attribute == static_cast<std::uint64_t>(DwarfAttribute::kLinkageName) ||
             attribute == static_cast<std::uint64_t>(DwarfAttribute::kMipsLinkageName)) {
    out.linkage_name = value;
  } else if (attribute == static_cast<std::uint64_t>(DwarfAttribute::kCompDir)) {
    out.directory = value;
  } else if (attribute == static_cast<std::uint64_t>(DwarfAttribute::kLowPc)) {
    out.low = value;
  } else if (attribute == static_cast<std::uint64_t>(DwarfAttribute::kHighPc)) {
    out.high = value;
  } else if (attribute == static_cast<std::uint64_t>(DwarfAttribute::kRanges)) {
    out.ranges = value;
  } else if (attribute == static_cast<std::uint64_t>(DwarfAttribute::kAbstractOrigin) ||
             attribute == static_cast<std::uint64_t>(DwarfAttribute::kSpecification)) {
    if (const auto origin = reference(unit, value, is_alt_)) out.origin = origin;
  } else if (attribute == static_cast<std::uint64_t>(DwarfAttribute::kStmtList)) {
    if (is_number) out.line_table = value.number;
  } else if (attribute == static_cast<std::uint64_t>(DwarfAttribute::kCallFile)) {
    if (is_number) out.call_file = narrow(value.number);
  } else if (attribute == static_cast<std::uint64_t>(DwarfAttribute::kCallLine)) {
    if (is_number) out.call_line = narrow(value.number);
  } else if (attribute == static_cast<std::uint64_t>(DwarfAttribute::kStrOffsetsBase)) {
    out.strings_base = value.number;
  } else if (attribute == static_cast<std::uint64_t>(DwarfAttribute::kAddrBase)) {
    out.addresses_base = value.number;
  } else if (attribute == static_cast<std::uint64_t>(DwarfAttribute::kRnglistsBase)) {
    out.ranges_base = value.number;
  } else if (attribute == static_cast<std::uint64_t>(DwarfAttribute::kLoclistsBase)) {
    out.locations_base = value.number;
  }
}

std::string DwarfUnits::text(const DwarfUnit& unit, const DwarfValue& value) {
  const DwarfText where = text_place(unit, value);
  switch (where.place) {
    case DwarfText::Place::kNone:
      return {};
    case DwarfText::Place::kHere:
      return std::string(value.text);
    case DwarfText::Place::kStr:
      return str_.text(where.at);
    case DwarfText::Place::kLineStr:
      return line_str_.text(where.at);
    case DwarfText::Place::kAltStr:
      return alt_ == nullptr ? std::string() : alt_->str_.text(where.at);
    case DwarfText::Place::kStrOffsets: {
      const std::size_t width = unit.widths.offset_size;
      ElfFile::Bytes room;
      const auto bytes = str_offsets_.part(where.at, width, room);
      DwarfCursor cursor(bytes, 0, bytes.size());
      const std::uint64_t at = cursor.fixed(width);
      return cursor.ok() ? str_.text(at) : std::string();
    }
  }
  return {};
}

std::string DwarfUnits::directory_of(const DwarfUnit& unit) {
  ElfFile::Bytes room;
  const auto root = entry_at(unit, unit.first, room);
  return root ? text(unit, root->directory) : std::string();
}

// A function is named where it is declared: the entry that has code refers to the one
// that was inlined, and that one to the class that declares it.
std::string DwarfUnits::name_of(DwarfRef ref) {
  if (ref.in_alt && !is_alt_) return alt_ == nullptr ? std::string() : alt_->name_of(ref);
  if (name_bytes_ > kMaxDwarfNameBytes) {
    names_.clear();
    name_bytes_ = 0;
  }
  const auto [known, is_new] = names_.try_emplace(ref.offset);
  if (!is_new) return known->second;
  index();
  std::string name;
  DwarfRef at = ref;
  for (int i = 0; i < kMaxOrigins; ++i) {
    const std::uint32_t number = number_of(at.offset);
    if (number == kNoUnit) break;
    DwarfUnit& unit = units_[number];
    prepare(unit);
    ElfFile::Bytes room;
    const auto entry = entry_at(unit, at.offset, room);
    if (!entry || entry->tag != CodeTag::kFunction) break;
    if (const std::string linked = text(unit, entry->linkage_name); !linked.empty()) {
      name = linked;
      break;
    }
    if (name.empty()) name = text(unit, entry->name);
    if (!entry->origin) break;
    at = *entry->origin;
    if (at.in_alt && !is_alt_) {
      if (const std::string shared = alt_ ? alt_->name_of(at) : std::string(); !shared.empty()) {
        name = shared;
      }
      break;
    }
  }
  name_bytes_ += sizeof *known + name.size();
  return names_[ref.offset] = name;
}

std::optional<std::uint64_t> DwarfUnits::address(const DwarfUnit& unit, const DwarfValue& value) {
  if (value.kind == ValueKind::kAddress) return value.number;
  const std::size_t width = unit.widths.address_size;
  if (value.kind != ValueKind::kAddressIndex || value.number > addr_.size() || width > 8) {
    return std::nullopt;
  }
  ElfFile::Bytes room;
  const auto bytes = addr_.part(unit.addresses + value.number * width, width, room);
  DwarfCursor cursor(bytes, 0, bytes.size());
  const std::uint64_t found = cursor.fixed(width);
  return cursor.ok() ? std::optional(found) : std::nullopt;
}

std::size_t DwarfUnits::held_bytes() const {
  std::size_t bytes = alt_ == nullptr ? 0 : alt_->held_bytes();
  for (const SectionReader* one :
       {&info_, &abbrev_, &str_, &line_str_, &str_offsets_, &addr_, &rnglists_, &ranges_, &line_}) {
    bytes += one->held_bytes();
  }
  return bytes;
}

void DwarfUnits::let_go() {
  if (alt_ != nullptr) alt_->let_go();
  for (SectionReader* one :
       {&info_, &abbrev_, &str_, &line_str_, &str_offsets_, &addr_, &rnglists_, &ranges_, &line_}) {
    one->let_go();
  }
}

}  // namespace dt::symbol

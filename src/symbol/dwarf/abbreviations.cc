// See abbreviations.h.

#include "symbol/dwarf/abbreviations.h"

#include <algorithm>

#include "symbol/dwarf/forms.h"

namespace dt::symbol {

DwarfAbbreviations DwarfAbbreviations::read(DwarfCursor cursor, std::size_t most) {
  DwarfAbbreviations made;
  std::vector<Attribute>& attributes = made.attributes_;
  while (cursor.ok() && attributes.size() < most) {
    Entry entry;
    entry.code = cursor.uleb();
    if (!cursor.ok() || entry.code == 0) {
      made.is_whole_ = cursor.ok();
      break;
    }
    entry.tag = static_cast<std::uint16_t>(cursor.uleb());
    entry.has_children = cursor.fixed(1) != 0;
    entry.first = static_cast<std::uint32_t>(attributes.size());
    while (attributes.size() < most) {
      Attribute attribute;
      attribute.name = static_cast<std::uint16_t>(cursor.uleb());
      attribute.form = static_cast<std::uint16_t>(cursor.uleb());
      if (attribute.form == kFormImplicitConst) attribute.implicit = cursor.sleb();
      if (!cursor.ok() || (attribute.name == 0 && attribute.form == 0)) break;
      attributes.push_back(attribute);
    }
    entry.count = static_cast<std::uint32_t>(attributes.size()) - entry.first;
    if (cursor.ok()) made.entries_.push_back(entry);
  }
  std::stable_sort(made.entries_.begin(), made.entries_.end(),
                   [](const Entry& a, const Entry& b) { return a.code < b.code; });
  return made;
}

const DwarfAbbreviations::Entry* DwarfAbbreviations::find(std::uint64_t code) const {
  // Compilers number them 1, 2, 3.
  if (code - 1 < entries_.size() && entries_[code - 1].code == code) {
    return &entries_[code - 1];
  }
  const auto found =
      std::lower_bound(entries_.begin(), entries_.end(), code,
                       [](const Entry& entry, std::uint64_t value) { return entry.code < value; });
  return found == entries_.end() || found->code != code ? nullptr : &*found;
}

}  // namespace dt::symbol

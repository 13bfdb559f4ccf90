#pragma once
// A table of .debug_abbrev (DWARF 7.5.3): for each code of an entry its tag, whether
// children follow, and the attributes with the forms in which they stand.
//
//   code | tag | has children | attribute, form | ... | 0, 0 |   code | ... |   0

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "symbol/dwarf/cursor.h"

namespace dt::symbol {

class DwarfAbbreviations {
 public:
  struct Attribute {
    std::uint16_t name = 0, form = 0;
    std::int64_t implicit = 0;  // the value, where the form says that it stands here
  };
  struct Entry {
    std::uint64_t code = 0;
    std::uint16_t tag = 0;
    bool has_children = false;
    std::uint32_t first = 0, count = 0;
  };

  // What can be read of it, up to `most` attributes.
  static DwarfAbbreviations read(DwarfCursor cursor, std::size_t most);

  // nullptr when the table has no such code.
  const Entry* find(std::uint64_t code) const;
  std::span<const Attribute> attributes(const Entry& entry) const {
    return std::span(attributes_).subspan(entry.first, entry.count);
  }
  std::size_t attribute_count() const { return attributes_.size(); }
  // Whether the end of the table was reached, and not that of the bytes.
  bool is_whole() const { return is_whole_; }

 private:
  std::vector<Entry> entries_;  // ascending codes
  std::vector<Attribute> attributes_;
  bool is_whole_ = false;
};

}  // namespace dt::symbol

#pragma once
// The functions of one unit of DWARF, and those that were inlined into them.

#include <cstdint>
#include <vector>

#include "symbol/dwarf/units.h"
#include "symbol/elf/range_index.h"

namespace dt::symbol {

struct DwarfScope {
  static constexpr std::uint32_t kNone = ~std::uint32_t{0};
  DwarfRef name;  // for DwarfUnits::name_of()
  // For an inlined function: the scope into which it was inlined, and the place of the call. `file`
  // is a number in the unit's table of lines.
  std::uint32_t outer = kNone;
  std::uint32_t file = 0, line = 0;
};

struct DwarfScopes {
  std::vector<DwarfScope> list;
  RangeIndex code;  // of indices in `list`

  std::size_t bytes() const { return list.capacity() * sizeof(DwarfScope) + code.bytes(); }
};

// Damage ends them early.
DwarfScopes read_scopes(DwarfUnits& units, const DwarfUnit& unit);

}  // namespace dt::symbol

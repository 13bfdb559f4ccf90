// See scopes.h.

#include "symbol/dwarf/scopes.h"

namespace dt::symbol {
namespace {

constexpr std::size_t kMaxScopes = 1 << 21;
constexpr std::size_t kMaxOpenEntries = 4096;

}  // namespace

DwarfScopes read_scopes(DwarfUnits& units, const DwarfUnit& unit) {
  DwarfScopes out;
  ElfFile::Bytes room;
  const auto bytes = units.entries(unit, room);
  DwarfCursor cursor(bytes, 0, bytes.size());
  const auto table = units.table(unit);
  // The innermost function of each level, as the tree is walked.
  std::vector<std::uint32_t> open = {DwarfScope::kNone};
  CodeEntry entry;
  while (!cursor.at_end() && out.list.size() < kMaxScopes &&
         units.decode(unit, *table, unit.first, cursor, entry)) {
    if (entry.tag == CodeTag::kEnd) {
      if (open.size() == 1) break;
      open.pop_back();
      continue;
    }
    std::uint32_t within = open.back();
    if (entry.tag == CodeTag::kFunction || entry.tag == CodeTag::kInlined) {
      const auto number = static_cast<std::uint32_t>(out.list.size());
      const std::size_t before = out.code.size();
      units.for_ranges(unit, entry, [&](std::uint64_t begin, std::uint64_t end) {
        out.code.add(begin, end, number);
      });
      const bool is_inlined = entry.tag == CodeTag::kInlined;
      if (out.code.size() > before) {
        const bool has_name = !is_inlined || !entry.origin;
        out.list.push_back({has_name ? DwarfRef{entry.offset, units.is_alt()} : *entry.origin,
                            is_inlined ? within : DwarfScope::kNone,
                            is_inlined ? entry.call_file : 0, is_inlined ? entry.call_line : 0});
        within = number;
      }
    }
    if (!entry.has_children) continue;
    if (open.size() >= kMaxOpenEntries) break;
    open.push_back(within);
  }
  out.list.shrink_to_fit();
  out.code.order();
  return out;
}

}  // namespace dt::symbol

// What code an entry has: one piece, or a list of them in .debug_rnglists (DWARF 5, 7.25)
// or .debug_ranges (DWARF 4, 7.24).

#include "symbol/dwarf/units.h"

namespace dt::symbol {
namespace {

constexpr std::size_t kMaxRangeWork = std::size_t{32} << 20;  // for one question
constexpr std::uint64_t kListBytes = 4 << 10;                 // of most lists
constexpr std::uint64_t kMaxListBytes = 1 << 20;

// Kinds of entries of .debug_rnglists.
enum class RangeKind : std::uint8_t {
  kEnd = 0,
  kBaseIndex = 1,
  kIndexIndex = 2,
  kIndexLength = 3,
  kOffsets = 4,
  kBase = 5,
  kAddresses = 6,
  kAddressLength = 7,
};

}  // namespace

std::vector<DwarfUnits::Range> DwarfUnits::ranges(const DwarfUnit& unit, const CodeEntry& entry) {
  using Kind = DwarfValue::Kind;
  if (entry.ranges.kind == Kind::kRangesIndex) {
    const std::size_t width = unit.widths.offset_size;
    if (entry.ranges.number > rnglists_.size()) return {};
    ElfFile::Bytes room;
    const auto bytes = rnglists_.part(unit.ranges + entry.ranges.number * width, width, room);
    DwarfCursor cursor(bytes, 0, bytes.size());
    const std::uint64_t offset = cursor.fixed(width);
    return cursor.ok() ? range_list(unit, unit.ranges + offset) : std::vector<Range>();
  }
  if (entry.ranges.kind == Kind::kNumber) {
    return unit.widths.version >= 5 ? range_list(unit, entry.ranges.number)
                                    : old_range_list(unit, entry.ranges.number);
  }
  const std::optional<std::uint64_t> low = address(unit, entry.low);
  if (!low) return {};
  if (entry.high.kind == Kind::kNumber) return {{*low, *low + entry.high.number}};
  const std::optional<std::uint64_t> high = address(unit, entry.high);
  return high ? std::vector<Range>{{*low, *high}} : std::vector<Range>();
}

std::vector<DwarfUnits::Range> DwarfUnits::range_list(const DwarfUnit& unit, std::uint64_t at) {
  const std::size_t width = unit.widths.address_size;
  ElfFile::Bytes room;
  for (std::uint64_t most = kListBytes;; most = kMaxListBytes) {
    const auto bytes = rnglists_.part(at, most, room);
    DwarfCursor cursor(bytes, 0, bytes.size());
    std::vector<Range> out;
    std::uint64_t base = unit.begin;
    const auto indexed = [&] {
      DwarfValue value;
      value.kind = DwarfValue::Kind::kAddressIndex;
      value.number = cursor.uleb();
      return address(unit, value).value_or(0);
    };
    while (cursor.ok() && ++range_work_ < kMaxRangeWork) {
      const auto kind = static_cast<RangeKind>(cursor.fixed(1));
      std::uint64_t begin = 0, end = 0;
      if (kind == RangeKind::kEnd) {
        if (cursor.ok()) return out;
        break;
      } else if (kind == RangeKind::kBaseIndex) {
        base = indexed();
        continue;
      } else if (kind == RangeKind::kBase) {
        base = cursor.fixed(width);
        continue;
      } else if (kind == RangeKind::kIndexIndex) {
        begin = indexed();
        end = indexed();
      } else if (kind == RangeKind::kIndexLength) {
        begin = indexed();
        end = begin + cursor.uleb();
      } else if (kind == RangeKind::kOffsets) {
        begin = base + cursor.uleb();
        end = base + cursor.uleb();
      } else if (kind == RangeKind::kAddresses) {
        begin = cursor.fixed(width);
        end = cursor.fixed(width);
      } else if (kind == RangeKind::kAddressLength) {
        begin = cursor.fixed(width);
        end = begin + cursor.uleb();
      } else {
        return out;
      }
      if (cursor.ok()) out.push_back({begin, end});
    }
    if (bytes.size() < most || most == kMaxListBytes) return out;
  }
}

// begin, end | ... | 0, 0    relative to what stands behind all ones
std::vector<DwarfUnits::Range> DwarfUnits::old_range_list(const DwarfUnit& unit, std::uint64_t at) {
  const std::size_t width = unit.widths.address_size;
  const std::uint64_t ones = width == 4 ? 0xffffffff : ~std::uint64_t{0};
  ElfFile::Bytes room;
  for (std::uint64_t most = kListBytes;; most = kMaxListBytes) {
    const auto bytes = ranges_.part(at, most, room);
    DwarfCursor cursor(bytes, 0, bytes.size());
    std::vector<Range> out;
    std::uint64_t base = unit.begin;
    while (cursor.ok() && ++range_work_ < kMaxRangeWork) {
      const std::uint64_t begin = cursor.fixed(width), end = cursor.fixed(width);
      if (!cursor.ok()) break;
      if (begin == 0 && end == 0) return out;
      if (begin == ones) {
        base = end;
      } else {
        out.push_back({base + begin, base + end});
      }
    }
    if (bytes.size() < most || most == kMaxListBytes) return out;
  }
}

}  // namespace dt::symbol

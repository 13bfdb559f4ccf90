#pragma once
// DWARF for the question of where code comes from: which unit describes an address, and what
// its entries (unit.h) say of code.
//
// Units are read one by one, when they are asked for: nothing of the file stays in
// memory but where they are and what code they describe. What types are: types/dwarf.h.
//
// Not read: what is in .dwo files (-gsplit-dwarf).

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "symbol/dwarf/abbreviations.h"
#include "symbol/dwarf/forms.h"
#include "symbol/dwarf/unit.h"
#include "symbol/elf/file.h"
#include "symbol/elf/range_index.h"
#include "symbol/elf/section_reader.h"

namespace dt::symbol {

// Tags (7.5.1) of what has code.
enum class CodeTag : std::uint16_t {
  kEnd = 0,  // of a list of children
  kCompileUnit = 0x11,
  kInlined = 0x1d,
  kFunction = 0x2e,
  kPartialUnit = 0x3c,
  kSkeletonUnit = 0x4a,
};

struct DwarfUnit : DwarfUnitHeader {
  bool is_prepared = false;
  // What its first entry says, once it is prepared.
  std::optional<std::uint64_t> line_table;  // in .debug_line
  std::uint64_t begin = 0;                  // what its ranges are relative to
};

// An entry, as far as it is about code; of those with other tags only the first three.
struct CodeEntry {
  std::uint64_t offset = 0;
  CodeTag tag = CodeTag::kEnd;
  bool has_children = false;
  DwarfValue name, linkage_name, directory;
  DwarfValue low, high, ranges;
  std::optional<DwarfRef> origin;  // where its name is
  std::optional<std::uint64_t> line_table;
  std::uint32_t call_file = 0, call_line = 0;
  std::uint64_t strings_base = 0, addresses_base = 0, ranges_base = 0, locations_base = 0;
};

class DwarfUnits {
 public:
  // `alt`: what the file shares with others; may be null.
  DwarfUnits(std::shared_ptr<const ElfFile> elf, std::shared_ptr<const ElfFile> alt);

  // The unit that has the code at an address, as the file has it; nullptr when none says
  // so. The first call reads where all units are.
  const DwarfUnit* at_code(std::uint64_t address);

  // All units, in the order of the file.
  std::size_t count() {
    index();
    return units_.size();
  }
  const DwarfUnit& at(std::size_t number) {
    prepare(units_[number]);
    return units_[number];
  }
  // The unit that has the entry at an offset of .debug_info, or nullptr.
  const DwarfUnit* holding(std::uint64_t offset) {
    index();
    const auto found = find_unit(units_, offset);
    if (found == units_.end()) return nullptr;
    prepare(*found);
    return &*found;
  }

  // Reads the entry at the cursor, which is in `bytes` of the unit from `base` on; false
  // when it cannot be read.
  bool decode(const DwarfUnit& unit, const DwarfAbbreviations& table, std::uint64_t base,
              DwarfCursor& cursor, CodeEntry& out) const;
  std::shared_ptr<const DwarfAbbreviations> table(const DwarfUnit& unit);
  // The bytes of the unit's entries, from `unit.first` on; empty when they are too many.
  std::span<const std::uint8_t> entries(const DwarfUnit& unit, ElfFile::Bytes& room);

  // Calls each(begin, end) for the code of the entry.
  template <typename Each>
  void for_ranges(const DwarfUnit& unit, const CodeEntry& entry, const Each& each) {
    for (const auto& [begin, end] : ranges(unit, entry)) each(begin, end);
  }
  // What the function at `ref` is called: as the linker knows it where it says so,
  // otherwise as the source does; empty when nothing says.
  std::string name_of(DwarfRef ref);
  std::string text(const DwarfUnit& unit, const DwarfValue& value);
  // One that stands in the value, or in the table of addresses.
  std::optional<std::uint64_t> address(const DwarfUnit& unit, const DwarfValue& value);
  // Where the unit was compiled.
  std::string directory_of(const DwarfUnit& unit);

  bool is_alt() const { return is_alt_; }
  SectionReader& line() { return line_; }
  // The memory of the index: where units are, and which code they describe.
  std::size_t index_bytes() const { return units_.capacity() * sizeof(DwarfUnit) + code_.bytes(); }
  // The memory of all that can be dropped and read again.
  std::size_t held_bytes() const;
  void let_go();

 private:
  using Range = std::pair<std::uint64_t, std::uint64_t>;
  struct UnitRange {
    std::uint64_t begin = 0, end = 0;
    std::uint32_t unit = 0;  // its number
  };

  void index();
  // Adds what .debug_aranges says of code; which units that are, ascending.
  std::vector<std::uint64_t> read_address_ranges(std::vector<UnitRange>& code);
  std::uint32_t number_of(std::uint64_t offset) const;  // of the unit that holds the offset
  std::optional<CodeEntry> prepare(DwarfUnit& unit);
  std::optional<CodeEntry> entry_at(const DwarfUnit& unit, std::uint64_t offset,
                                    ElfFile::Bytes& room);
  void apply(std::uint64_t attribute, const DwarfValue& value, const DwarfUnit& unit,
             CodeEntry& out) const;
  std::vector<Range> ranges(const DwarfUnit& unit, const CodeEntry& entry);
  std::vector<Range> range_list(const DwarfUnit& unit, std::uint64_t at);
  std::vector<Range> old_range_list(const DwarfUnit& unit, std::uint64_t at);

  std::unique_ptr<DwarfUnits> alt_;
  bool is_alt_ = false;
  SectionReader info_, abbrev_, str_, line_str_, str_offsets_, addr_, aranges_, rnglists_, ranges_,
      line_;
  bool is_indexed_ = false;
  std::vector<DwarfUnit> units_;  // ascending
  RangeIndex code_;               // of numbers in units_
  std::unordered_map<std::uint64_t, std::shared_ptr<const DwarfAbbreviations>> tables_;
  std::unordered_map<std::uint64_t, std::string> names_;  // by the offset of the entry
  std::size_t name_bytes_ = 0;
  std::size_t range_work_ = 0;  // entries of lists that were read for one question
};

}  // namespace dt::symbol

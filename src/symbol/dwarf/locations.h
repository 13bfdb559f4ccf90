#pragma once
// Where variables are while code runs: the expressions and the lists of them that DWARF has.

#include <cstdint>
#include <memory>
#include <optional>
#include <span>

#include "symbol/dwarf/unit.h"
#include "symbol/dwarf/units.h"
#include "symbol/elf/file.h"
#include "symbol/elf/section_reader.h"

namespace dt::symbol {

// Registers have the numbers of DWARF.
struct VariableLocation {
  enum class Kind : std::uint8_t {
    kUnknown,     // nowhere, in pieces, or computed in a way that is not followed here
    kAddress,     // at `offset`, as the file has addresses
    kFrame,       // at the CFA (symbol/frames/call_frames.h) + `offset`
    kRegister,    // the register `number` has the value
    kAtRegister,  // at the register `number` + `offset`
    kConstant,    // nowhere, and its value is always `offset`
  } kind = Kind::kUnknown;
  std::uint8_t number = 0;
  std::int64_t offset = 0;
  bool is_value = false;  // the address, or the distance from the register, is the value itself
  bool operator==(const VariableLocation&) const = default;
};

class DwarfLocations {
 public:
  // `debug` has the lists; `units`, which must outlive this, the addresses that they have by
  // number.
  DwarfLocations(DwarfUnits& units, const std::shared_ptr<const ElfFile>& debug);

  // Where an attribute of the unit says that something is while the code at `address` runs, as the
  // file has it. `frame_base`: that attribute of the function around, or nothing.
  VariableLocation at(const DwarfUnit& unit, const DwarfValue& value, const DwarfValue& frame_base,
                      std::uint64_t address);
  // The location of a variable with DW_AT_const_value.
  static VariableLocation constant(const DwarfValue& value);

 private:
  VariableLocation expression(const DwarfUnit& unit, std::span<const std::uint8_t> bytes,
                              const DwarfValue& frame_base);
  std::optional<std::uint64_t> list_offset(const DwarfUnit& unit, std::uint64_t number);
  std::span<const std::uint8_t> from_list(const DwarfUnit& unit, std::uint64_t at,
                                          std::uint64_t address);
  std::span<const std::uint8_t> from_old_list(const DwarfUnit& unit, std::uint64_t at,
                                              std::uint64_t address);

  DwarfUnits& units_;
  SectionReader lists_, old_lists_;
  ElfFile::Bytes room_;  // of a list
};

}  // namespace dt::symbol

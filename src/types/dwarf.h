#pragma once
// DWARF for the question of what types are: the entries (symbol/dwarf/unit.h) that types are
// made of, of one file whose sections are in memory. Every walk goes forward or has a limit.

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "support/result.h"
#include "symbol/dwarf/unit.h"

namespace dt::types {

// Tags and attributes of the standard (7.5), those that types are made of.
enum class DwTag : std::uint16_t {
  kNone = 0,
  kArrayType = 0x01,
  kClassType = 0x02,
  kEnumerationType = 0x04,
  kFormalParameter = 0x05,
  kMember = 0x0d,
  kPointerType = 0x0f,
  kReferenceType = 0x10,
  kCompileUnit = 0x11,
  kStructureType = 0x13,
  kSubroutineType = 0x15,
  kTypedef = 0x16,
  kUnionType = 0x17,
  kUnspecifiedParameters = 0x18,
  kInheritance = 0x1c,
  kSubrangeType = 0x21,
  kBaseType = 0x24,
  kConstType = 0x26,
  kEnumerator = 0x28,
  kSubprogram = 0x2e,
  kVolatileType = 0x35,
  kRestrictType = 0x37,
  kNamespace = 0x39,
  kPartialUnit = 0x3c,
  kUnspecifiedType = 0x3b,
  kImportedUnit = 0x3d,
  kTypeUnit = 0x41,
  kRvalueReferenceType = 0x42,
  kAtomicType = 0x47,
  kSkeletonUnit = 0x4a,
  kImmutableType = 0x4b,
};

// The bytes of the sections; they must outlive the Dwarf.
struct DwarfSections {
  using Bytes = std::span<const std::uint8_t>;
  Bytes info, abbrev, str, line_str, str_offsets;
};

using DieRef = symbol::DwarfRef;

class Dwarf {
 public:
  struct Unit;

  // One entry, decoded. It is decoded each time that it is looked at, and never kept: there are
  // millions in a large program, of which a script needs a few. What is here is only what describes
  // types; attributes of code are passed over.
  struct Die {
    const Unit* unit = nullptr;
    std::uint64_t offset = 0, next = 0;  // `next`: what follows its attributes
    DwTag tag = DwTag::kNone;            // kNone: the end of a list of children
    bool has_children = false;
    std::optional<std::uint64_t> sibling;
    std::string_view name;
    // `specification` leads from a definition to its declaration, where the name may be.
    std::optional<DieRef> type, specification;
    std::optional<std::uint64_t> signature;  // the type stands in a type unit
    std::optional<std::uint64_t> byte_size, bit_size, count, upper_bound;
    std::optional<std::uint64_t> location;         // DW_AT_data_member_location, bytes
    std::optional<std::uint64_t> data_bit_offset;  // from the struct's start
    std::optional<std::uint64_t> bit_offset;       // DWARF 2: from the most significant bit
    std::optional<std::int64_t> value;             // DW_AT_const_value
    std::uint64_t encoding = 0;
    std::uint64_t language = 0;  // of a unit
    std::uint64_t str_offsets_base = 0;
    bool is_declaration = false;
    bool is_external = false;   // of a member: static
    bool is_split = false;      // of a unit: the rest is in a .dwo file
    bool is_elsewhere = false;  // its location is computed at run time
    bool is_vector = false;     // of an array: a vector of the processor, as __m128i
  };

  // `alt` is the file that `sections` refer to as shared, or null.
  static Result<std::unique_ptr<Dwarf>> parse(const DwarfSections& sections,
                                              std::unique_ptr<Dwarf> alt = nullptr);
  Dwarf(const Dwarf&) = delete;
  Dwarf& operator=(const Dwarf&) = delete;

  struct Unit : symbol::DwarfUnitHeader {
    const Dwarf* dwarf = nullptr;
  };
  // In ascending order. A damaged unit ends the list: see damage().
  const std::vector<Unit>& units() const { return units_; }
  const std::string& damage() const { return damage_; }

  const Dwarf* alt() const { return alt_.get(); }

  // The entry that stands for the whole unit.
  std::optional<Die> first(const Unit& unit) const { return decode(unit, unit.first); }
  // The entry at an offset; nullopt when none can be read there.
  std::optional<Die> at(DieRef ref) const;
  // The one that begins right after `die`'s attributes: its first child, its
  // sibling, or the end of a list.
  // Costs the decoding of one entry.
  std::optional<Die> following(const Die& die) const;
  // Calls each(child) for the children of `die`, without theirs, until it says
  // false.
  template <typename Each>
  void for_children(const Die& die, const Each& each) const {
    if (!die.has_children) return;
    std::optional<Die> child = home(die)->following(die);
    while (child && child->tag != DwTag::kNone) {
      if (!each(*child)) return;
      child = after(*child);
    }
  }
  // What follows `die` and everything below it. Where the entry has a sibling attribute this is one
  // step, otherwise a walk over all that is below.
  std::optional<Die> after(const Die& die) const;
  // The type that a type unit of this signature describes. Type units are in .debug_info since
  // DWARF 5 (older ones in .debug_types are not read).
  std::optional<DieRef> type_of_signature(std::uint64_t signature) const;

 private:
  using Value = symbol::DwarfValue;

  Dwarf() = default;
  void read_units();
  void add_unit(const symbol::DwarfUnitHeader& header);
  const symbol::DwarfAbbreviations& table(std::uint64_t offset) const;
  const Unit* unit_of(std::uint64_t offset) const;
  static const Dwarf* home(const Die& die) { return die.unit->dwarf; }
  std::optional<Die> decode(const Unit& unit, std::uint64_t offset) const;
  std::string_view string(const Unit& unit, const Value& value) const;
  std::optional<DieRef> reference(const Unit& unit, const Value& value) const;
  void apply(std::uint64_t attribute, const Value& value, const Unit& unit, Die& die) const;

  DwarfSections sections_;
  std::unique_ptr<Dwarf> alt_;
  bool is_alt_ = false;
  std::vector<Unit> units_;
  std::unordered_map<std::uint64_t, DieRef> signatures_;
  std::string damage_;
  // Read as units are; what is in them never changes after.
  mutable std::unordered_map<std::uint64_t, symbol::DwarfAbbreviations> tables_;
  mutable std::size_t attributes_ = 0;  // of all of them
};

}  // namespace dt::types

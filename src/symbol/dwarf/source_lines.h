#pragma once
// From code to the source: in which line of which file it is, and which functions were
// inlined there, by the DWARF of an object or of what was stripped off it.
//
// Tables are made unit by unit, when an address of the unit is asked for, and may be
// forgotten at any time.

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "symbol/dwarf/line_table.h"
#include "symbol/dwarf/scopes.h"
#include "symbol/dwarf/units.h"
#include "symbol/elf/file.h"
#include "symbol/process/value.h"

namespace dt::symbol {

class SourceLines {
 public:
  // `debug` has .debug_info; `alt` is what it shares with others, or null.
  SourceLines(std::shared_ptr<const ElfFile> debug, std::shared_ptr<const ElfFile> alt)
      : units_(std::move(debug), std::move(alt)) {}

  // The code at an address, as the file has it: the functions that were inlined there,
  // innermost first, then the one that has the code, whose name is left out. Mangled
  // names. Empty when nothing is known.
  std::vector<SourceFrame> find(std::uint64_t address, SourceWish wish);

  // The other way round: calls each(row) for all rows of the lines of the files that are wanted.
  struct Row {
    std::uint64_t address = 0;  // as the file has it
    const std::string& path;
    std::uint32_t line = 0;
    // The function that was inlined there, mangled, and which one of all of them; or none.
    std::string inlined = {};
    std::uint64_t copy = 0;
  };
  void for_rows(const std::function<bool(const std::string& path)>& wants,
                const std::function<void(const Row& row)>& each);

  // The memory of the tables; of all that can be dropped and read again; and of the index.
  std::size_t table_bytes() const { return table_bytes_; }
  std::size_t held_bytes() const { return units_.held_bytes(); }
  std::size_t index_bytes() const { return units_.index_bytes(); }
  void let_go() { units_.let_go(); }
  // Adds when each table was last used, counted in questions to all (`now`), and its bytes.
  struct Age {
    std::uint64_t used = 0;
    std::size_t bytes = 0;
  };
  void add_ages(std::vector<Age>& to) const;
  void forget_before(std::uint64_t used);
  void set_now(std::uint64_t now) { now_ = now; }

 private:
  struct Unit {
    std::optional<LineTable> lines;
    std::optional<DwarfScopes> scopes;
    Age age;
  };
  Unit& unit_at(const DwarfUnit& unit, SourceWish wish);

  DwarfUnits units_;
  std::unordered_map<std::uint64_t, Unit> tables_;  // by where the unit begins
  std::size_t table_bytes_ = 0;
  std::uint64_t now_ = 0;
};

}  // namespace dt::symbol

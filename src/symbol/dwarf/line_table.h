#pragma once
// The lines of one unit: its table in .debug_line (DWARF 6.2), versions 2 to 5.
//
//   header, with directories and files | a program that makes rows
//   row: address, file, line       holds up to the next row of its sequence

#include <cstdint>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "symbol/dwarf/units.h"
#include "symbol/elf/range_index.h"

namespace dt::symbol {

class LineTable {
 public:
  // Damage ends it early: the sequence in which it is is left out.
  static LineTable read(DwarfUnits& units, const DwarfUnit& unit);

  struct Place {
    std::uint32_t file = 0, line = 0;
  };
  std::optional<Place> find(std::uint64_t address) const;
  // Calls each(address, place) for all rows, but those that only say where a sequence ends.
  template <typename Each>
  void for_rows(const Each& each) const {
    for (const Sequence& one : sequences_) {
      for (std::uint32_t i = one.first; i < one.last; ++i) each(rows_[i].address, rows_[i].place);
    }
  }
  // The path of the file, as the compiler was given it; empty when there is no such file.
  // The path of a file by its number. `unit` is the one that the table was read for.
  const std::string& path(DwarfUnits& units, const DwarfUnit& unit, std::uint32_t file);

  std::size_t bytes() const;
  // The size of all paths that path() has returned; bytes() does not include it.
  std::size_t path_bytes() const { return path_bytes_; }

 private:
  struct Row {
    std::uint64_t address = 0;
    Place place;
  };
  struct Name {
    DwarfValue value;  // where it is, or, if it is in the table itself,
    std::string text;

    static Name of(const DwarfValue& value);
    std::string read(DwarfUnits& units, const DwarfUnit& unit) const;
  };
  struct File {
    Name name;
    std::uint64_t directory = 0;
  };
  struct Sequence {
    std::uint32_t first = 0, last = 0;  // of rows; the last one only says where it ends
  };
  struct Header;

  bool read_header(DwarfCursor& cursor, DwarfUnits& units, const DwarfUnit& unit, Header& header);
  bool read_old_names(DwarfCursor& cursor);
  static bool read_names(DwarfCursor& cursor, const Header& header, std::vector<File>& to);
  std::string read_path(DwarfUnits& units, const DwarfUnit& unit, std::uint32_t file) const;
  // What the program's machine has at its start, and again behind each sequence.
  struct Registers {
    std::uint64_t address = 0, file = 1, line = 1;
    std::uint32_t first_row = 0;  // of the sequence
  };
  void run(DwarfCursor& cursor, const Header& header);
  bool run_extended(DwarfCursor& cursor, Registers& state);
  void emit(const Registers& at);
  void end_sequence(std::uint32_t first);

  std::vector<File> directories_;  // the first one is where the unit was compiled
  std::vector<File> files_;
  std::vector<Row> rows_;
  std::vector<Sequence> sequences_;
  RangeIndex code_;  // of numbers in sequences_
  std::unordered_map<std::uint32_t, std::string> paths_;
  std::size_t path_bytes_ = 0;
};

}  // namespace dt::symbol

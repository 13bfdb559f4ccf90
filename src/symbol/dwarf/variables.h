#pragma once
// Where the variables of a program are: those of a place in its code, and those outside of
// functions. What types are: types/dwarf.h.

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "symbol/dwarf/line_table.h"
#include "symbol/dwarf/locations.h"
#include "symbol/dwarf/unit.h"
#include "symbol/dwarf/units.h"
#include "symbol/elf/file.h"

namespace dt::symbol {

struct DwarfVariable {
  std::string name;
  bool is_parameter = false;
  std::uint32_t inlined = 0;  // of which function that was inlined there; 0: of none
  std::optional<DwarfRef> type;
  VariableLocation location;
  std::string file;         // of one outside of functions: the source that was compiled
  std::string symbol = {};  // of C++: what linkers call it
  std::string whole = {};   // of one outside of functions: with what it is in, "heap::count"
};

// Where the code of a function that was inlined into another one begins, or that of a label in a
// function. Names of functions are those that linkers have.
struct InlinedCode {
  std::string name;
  std::uint64_t address = 0;
  std::string file = {};  // where the source defines the function
  std::uint32_t line = 0;
  std::string label = {};
};

// The entry of a function that has code, and where the source defines it.
struct DwarfFunction {
  DwarfRef entry;
  std::string file = {};
  std::uint32_t line = 0;
  bool is_c = false;
};

class DwarfVariables {
 public:
  // `debug` has .debug_info; `alt` is what it shares with others, or null.
  DwarfVariables(std::shared_ptr<const ElfFile> debug, std::shared_ptr<const ElfFile> alt);
  DwarfVariables(const DwarfVariables&) = delete;
  DwarfVariables& operator=(const DwarfVariables&) = delete;

  // The variables that the source can name at an address of the file: parameters and variables of
  // the function and of the blocks around the address, from the outermost ones on. Within an
  // inlined function, its own; where it begins, those of its caller, too. Of one name, only the
  // innermost; if the caller has it, too, it has no location. `inlined`: not of the innermost
  // function there, but of the one of that name that was inlined and begins there.
  std::vector<DwarfVariable> at(std::uint64_t address, std::string_view inlined = {});
  // The variables outside of functions with this name; in C++ the name may be qualified,
  // "heap::count".
  std::vector<DwarfVariable> outside(std::string_view name);
  // The names of all of these, as "heap::count", each once.
  std::vector<std::string> outside_names();
  // All functions that were inlined, wherever the compiler has done so.
  std::vector<InlinedCode> inlined();
  // All labels of C, in functions and in those that were inlined.
  std::vector<InlinedCode> labels();
  // The function that has the code at an address, as the file has it.
  std::optional<DwarfFunction> function_at(std::uint64_t address);

 private:
  struct Entry;
  struct Reading;

  bool decode(Reading& reading, Entry& out) const;
  bool holds(const DwarfUnit& unit, const Entry& entry, std::uint64_t address);
  DwarfVariable variable(const Reading& reading, Entry entry, const Entry& function,
                         std::uint64_t address);
  std::optional<std::uint64_t> begin_of(const DwarfUnit& unit, const Entry& entry);
  bool read(const DwarfUnit& unit, std::uint64_t offset, Entry& out);
  template <typename Each>
  void for_outermost(const Each& each);
  template <typename Each>
  void for_outside(const Each& each);
  template <typename Each>
  void for_all(const Each& each);
  void index_functions();
  void find_definition(const DwarfUnit& unit, Entry entry, std::string& file, std::uint32_t& line);
  const std::string& path_of(const DwarfUnit& unit, std::uint32_t file);

  DwarfUnits units_;
  struct FunctionCode {
    std::uint64_t begin = 0, end = 0, entry = 0;
  };
  std::optional<std::vector<FunctionCode>> functions_;  // by where they begin
  std::map<std::uint64_t, LineTable> line_tables_;      // by where the unit begins
  DwarfLocations locations_;
  ElfFile::Bytes origin_room_;  // of the unit of an origin
};

}  // namespace dt::symbol

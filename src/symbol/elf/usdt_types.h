#pragma once
// The types that a program's provider declares for the arguments of its probes:
// what headers of dtrace -h leave in the section .note.dtrace, beside the notes
// that everybody reads (usdt_notes.h). Read with bounds.
//
//   note "dtrace", type 1:
//     provider NUL | name NUL | type NUL ... NUL | number type NUL ... NUL | stability NUL ... NUL
//
// The types of the arguments, up to an empty one; then those of args[] where
// they are others, each with the number of the argument that it is made of, or "none"; then, if
// the provider states its stability, a text each for the provider, modules, functions, names and
// arguments.

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "symbol/elf/file.h"

namespace dt::symbol {

struct UsdtTypes {
  std::string provider, name;          // as in the file: "function__entry"
  std::vector<std::string> arguments;  // "const char *"
  std::vector<std::pair<std::uint32_t, std::string>> translated;
  std::vector<std::string> stability;  // "Evolving Evolving Common", five times, or nothing
  bool has_none = false;               // args[] has nothing, whatever the arguments
};

// In the order of the file; a note that says something else is passed over.
std::vector<UsdtTypes> read_usdt_types(const ElfFile& elf);
// The same of the section's bytes.
std::vector<UsdtTypes> parse_usdt_types(std::string_view notes);

}  // namespace dt::symbol

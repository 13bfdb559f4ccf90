#pragma once
// The functions of an ELF file: what .symtab (its own, or that of the file which
// was stripped off it) and .dynsym call them, with where their code is. Read
// with bounds: files of other people are untrusted.

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "symbol/elf/file.h"
#include "symbol/frames/go_table.h"

namespace dt::symbol {

struct Function {
  std::string name;           // mangled, without a version
  std::uint64_t address = 0;  // as the file has it
  std::uint64_t size = 0;     // 0 = the symbol does not say
  std::uint64_t offset = 0;   // of the code in the file
  bool is_resolver = false;   // chooses the function of this name (IFUNC)
  std::uint32_t rank = 0;     // of several names of one address the lowest is what people say
};

class Functions {
 public:
  // `debug`: where .symtab may be when `elf` has none; may be null. `go`: what Go itself says,
  // where there is no .symtab; may be null.
  static Functions read(const ElfFile& elf, const ElfFile* debug, const GoTable* go = nullptr);

  // By address, those with one address by rank.
  std::span<const Function> all() const { return functions_; }
  // The functions with that name: versions of a symbol and static functions may share one.
  std::vector<const Function*> named(std::string_view name) const;
  // The one that holds the address; null when none does.
  const Function* at(std::uint64_t address) const;

 private:
  std::vector<Function> functions_;
  std::vector<std::uint32_t> by_name_;
};

// The pieces of code through which the file calls functions of other files, "malloc@plt": a jump to
// where the dynamic linker has put the address of the function.
std::vector<Function> linkage_functions(const ElfFile& elf);

// The addresses of those that other files may use (.dynsym).
std::vector<std::uint64_t> exported_functions(const ElfFile& elf);

// The address of a variable, as the file has it.
std::optional<std::uint64_t> address_of_object(const ElfFile& elf, std::string_view name);

}  // namespace dt::symbol

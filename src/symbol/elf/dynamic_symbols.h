#pragma once
// What a file exports, by name: .dynsym, read with bounds.

#include <cstdint>
#include <map>
#include <optional>
#include <string_view>

#include "symbol/elf/file.h"

namespace dt::symbol {

class DynamicSymbols {
 public:
  explicit DynamicSymbols(const ElfFile& elf);
  DynamicSymbols(const DynamicSymbols&) = delete;
  DynamicSymbols& operator=(const DynamicSymbols&) = delete;

  struct Symbol {
    std::uint64_t address = 0, size = 0;  // of a variable of threads: its place in theirs
    std::uint32_t number = 0;             // in the table
    unsigned char type = 0;               // STT_*
  };
  // The first of that name that the file defines.
  std::optional<Symbol> find(std::string_view name) const;

 private:
  ElfFile::Bytes names_;
  std::map<std::string_view, Symbol> symbols_;
};

}  // namespace dt::symbol

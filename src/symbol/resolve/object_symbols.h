#pragma once
// The functions, or the variables, of one ELF file: .symtab, where there is one, or the
// file that it was stripped into has one, and .dynsym.

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace dt::symbol {

class ElfFile;
class GoTable;

enum class SymbolKind : std::uint8_t { kFunction, kVariable };

class ElfSymbols {
 public:
  // Reads the file through libelf; a file that is no ELF, or is damaged, gives
  // no symbols. The descriptor is not kept. Tables that would take more than `most_bytes` of
  // memory while they are read are left out.
  static ElfSymbols from_file(int fd, SymbolKind kind = SymbolKind::kFunction,
                              std::size_t most_bytes = SIZE_MAX);
  bool is_too_large() const { return is_too_large_; }  // a table was left out
  // The .symtab of what was stripped off the file.
  void add_stripped(const ElfFile& file);
  // What Go says of its functions.
  void add_go(const GoTable& go);
  bool has_table() const { return has_table_; }  // .symtab
  // An image in our own memory: the vDSO.
  static ElfSymbols from_memory(char* image, std::size_t size);

  struct Found {
    std::string name;  // as linkers have it
    std::uint64_t offset = 0, size = 0;
  };
  // The function that holds the byte at `file_offset`, by the segment that maps
  // it; false when there is none.
  bool find(std::uint64_t file_offset, Found& out) const;
  // By how much the addresses of a process are above those of the file, when it has code of
  // the file at `begin`, from this offset on; nullopt when that is none of its code.
  std::optional<std::uint64_t> bias(std::uint64_t begin, std::uint64_t file_offset) const;
  // Whether the address, as the file has it, is of what is loaded: also variables that it
  // has no bytes of.
  bool is_loaded(std::uint64_t address) const;
  // The symbol that holds the address, as the file has it.
  bool find_address(std::uint64_t address, Found& out) const;
  std::size_t size() const { return entries_.size(); }
  std::size_t bytes() const { return entries_.capacity() * sizeof(Entry) + names_.capacity(); }

 private:
  struct Segment {
    std::uint64_t offset, file_size, address, memory_size;
    bool is_executable;
  };
  struct Entry {
    std::uint64_t address, size;
    std::uint32_t name;  // into names_
    std::uint32_t rank;  // which of several names of one address is shown
  };
  struct Extent {
    std::uint64_t begin, end;
  };
  void load(void* elf);
  void load_tables(void* elf, bool has_dynamic);
  void load_table(void* elf, void* section, bool has_dynamic);
  void add(std::uint64_t address, std::uint64_t size, std::string_view name, std::uint32_t rank);
  void order();
  // Whether there is code, and no section's end, from one address to the other.
  bool is_one_section(std::uint64_t from, std::uint64_t to) const;

  SymbolKind kind_ = SymbolKind::kFunction;
  std::vector<Segment> segments_;
  std::vector<Extent> code_;  // sections
  std::vector<Entry> entries_;
  std::string names_;  // NUL-terminated, one after another
  std::size_t most_bytes_ = SIZE_MAX;
  bool is_too_large_ = false;
  bool has_table_ = false;
};

}  // namespace dt::symbol

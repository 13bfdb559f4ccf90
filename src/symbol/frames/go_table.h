#pragma once
// What Go's linker writes of the functions of a program for the program's own stack traces
// (.gopclntab): their names, where their code is, and how far down the stack pointer is at
// each place of it. It is loaded with the program, so that stripped ones have it, too. Of Go
// 1.16 and later, for x86-64; read with bounds.

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "symbol/elf/file.h"
#include "symbol/frames/frame_table.h"

namespace dt::symbol {

// How a function is given its arguments. Go's registers are those of the ABI that Go calls
// internal (1.17 and later); in assembler, and before, arguments are on the stack.
enum class CallConvention : std::uint8_t { kC, kGoRegisters, kGoStack };

struct GoFunction {
  std::string name;           // "main.(*T).run"; several may have one name
  std::uint64_t address = 0;  // as the file has it
  std::uint64_t size = 0;     // without what fills up to the next one
  std::uint32_t steps = 0;    // place of those of the stack pointer; 0: there are none
  bool is_assembly = false;   // as far as Go says: from 1.18 on
  // It has no caller; it continues on another stack; its frame pointer leads back from there.
  bool is_outermost = false, changes_stack = false, comes_back = false;
};

class GoTable {
 public:
  // nullopt for what is not of Go, or damaged.
  static std::optional<GoTable> read(const ElfFile& elf);

  // By address.
  const std::vector<GoFunction>& functions() const { return functions_; }
  // All code of Go is between these addresses; code of C in the same program is not.
  std::uint64_t begin() const { return begin_; }
  std::uint64_t end() const { return end_; }
  // With the names that linkers give them: of a function of assembler that Go's own calls by
  // another one of that name, it ends in ".abi0". Without those whose names do not tell which
  // they are.
  std::vector<std::pair<std::string, const GoFunction*>> named() const;
  // How the function is called. `name` is its name in .symtab, which ends in ".abi0" if it is
  // written in assembler.
  CallConvention convention(std::uint64_t address, const std::string& name) const;

  // The stack pointer is `depth` bytes below the function's return address, up to `end`.
  struct Step {
    std::uint64_t begin = 0, end = 0;  // addresses
    std::int32_t depth = 0;
  };
  std::vector<Step> steps(const GoFunction& function) const;

 private:
  bool read_functions(const ElfFile& elf, std::uint64_t address);

  std::vector<GoFunction> functions_;
  ElfFile::Bytes bytes_;
  std::uint64_t begin_ = 0, end_ = 0, steps_at_ = 0;
  bool has_register_arguments_ = false;
};

// `table`, and in the code of Go what Go says.
FrameTable with_go_frames(const FrameTable& table, const GoTable& go, const ElfFile& elf);

}  // namespace dt::symbol

#pragma once
// Damage to ELF files, by what is in them: headers, symbols, notes, call frame information,
// DWARF, links to other files.

#include <cstdint>
#include <string>
#include <vector>

#include "random.h"

namespace dt::elf {

using Bytes = std::vector<std::uint8_t>;

struct Sample {
  std::string name;
  Bytes bytes;
};

struct Damaged {
  std::string what;  // "c5: symbols, .debug_line"
  Bytes bytes;
  std::uint64_t size = 0;  // of the file, which may be sparse
  // Nothing but what people made up about the code was touched: not the code, nor how it is
  // loaded, nor its call frame information.
  bool only_lies = true;
};

Damaged damage(const Sample& sample, Random& random);

// The same with all that the kernel needs to execute a program that is linked statically.
Damaged damage_unexecuted(const Sample& sample, Random& random);

}  // namespace dt::elf

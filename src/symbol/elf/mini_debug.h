#pragma once
// The symbol table that some distributions leave in stripped files: an ELF file
// of its own, compressed with xz, in the section .gnu_debugdata.

#include <optional>

#include "symbol/elf/file.h"

namespace dt::symbol {

// nullopt without such a section, or when it is damaged or unpacks to more than
// anybody would put there.
std::optional<ElfFile> mini_debug_file(const ElfFile& elf);

}  // namespace dt::symbol

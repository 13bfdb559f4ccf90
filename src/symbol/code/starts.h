#pragma once
// Where functions begin according to the table that serves to unwind stacks
// (.eh_frame_hdr), which stripped files have, too.

#include <cstdint>
#include <vector>

#include "symbol/elf/file.h"

namespace dt::symbol {

// Addresses as the file has them, ascending; empty without such a table, or when
// it is damaged.
std::vector<std::uint64_t> code_starts(const ElfFile& elf);

}  // namespace dt::symbol

#pragma once
// Everything of ours that reads the files of programs, on one file: what the fuzzers ask
// (fuzz/ask_elf.h, fuzz/ask_types.h) and what an enabling does with it.

#include <cstdint>
#include <string>
#include <vector>

#include "damage.h"

namespace dt::elf {

// Where instructions of an undamaged sample begin, as offsets in the file, ascending.
std::vector<std::uint64_t> instructions_of(const std::string& path);

struct Read {
  std::uint64_t functions = 0, sites = 0, notes = 0, lines = 0;
};
// Reads the file at `path`. A site that is not among `true_sites`, where these are given, is an
// error of ours: a breakpoint would stand in the midst of an instruction, or in data.
Read read_everything(const std::string& path, const std::vector<std::uint64_t>* true_sites);

}  // namespace dt::elf

#pragma once
// Additions: what the code of one program needs of the common memory beyond what plan_memory()
// planned.

#include <cstdint>
#include <vector>

#include "bpf/layout/memory.h"

namespace dt::bpf {

struct Additions {
  // Bytes to be added to Memory::rodata. They will begin at `rodata_begin`, a multiple of 8, and
  // the code addresses them there.
  std::uint32_t rodata_begin = 0;
  std::vector<std::uint8_t> rodata;
  Zeros zeros;                      // the region of zeros that is in use, planned or added
  std::uint32_t scratch_bytes = 0;  // of a scratch frame
  HashMap kept;                     // what the provider keeps between firings
  bool uses_unwind = false;
  bool uses_sources = false;

  // None: rodata of the program will begin behind what the memory has now.
  static Additions begin(const Memory& memory);

  // The offset in Memory::rodata that these bytes will have; they take whole words.
  std::uint32_t add_rodata(const std::vector<std::uint8_t>& bytes);
  // The offset of at least `bytes` zeros there.
  std::uint32_t add_zeros(std::uint32_t bytes);
};

// Adds them to the memory, for the program `index` of the plan. The memory must have the rodata
// that it had at begin().
void add(Additions additions, std::size_t index, Memory& memory);

}  // namespace dt::bpf

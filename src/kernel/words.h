#pragma once
// Reads many words of the kernel's own memory at once (see memory.h).

#include <cstdint>
#include <span>

#include "kernel/kernel.h"

namespace dt::kernel {

// How many words one run of the program reads.
constexpr std::uint32_t kWordsAtOnce = 256;

// into[i] = the 4 bytes at addresses[i], 0 where they cannot be read. What the
// program "dt_words" reads from and writes to is the map of that name: as many 64-bit
// numbers, each an address and then a word.
Status read_words(Kernel& kernel, std::span<const std::uint64_t> addresses,
                  std::span<std::uint32_t> into);

}  // namespace dt::kernel

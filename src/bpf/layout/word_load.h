#pragma once
// Memory of the kernel by plain loads, see Words.

#include <cstdint>

#include "bpf/asm/emitter.h"
#include "bpf/layout/memory.h"

namespace dt::bpf {

// Where the first of the words is; before it there is a pointer.
constexpr std::int32_t kFirstWord = 8;

// A base: what is at `address` + `offset` is at kFirstWord from it. Up to 240 bytes follow,
// of which a load must not cross the boundary of two words.
Reg cast_to_words(Emitter& e, const Words& words, Reg address, std::int32_t offset);

// The `size` bytes (1, 2, 4, 8) at `address` + `offset`, zero-extended; 0 where they
// cannot be read, as in user memory.
Reg load_word(Emitter& e, const Words& words, Reg address, std::int32_t offset, std::uint32_t size);

}  // namespace dt::bpf

#pragma once
// Memory of the kernel, read in generated code: by plain loads where this kernel allows
// them (see Words), and else by a helper, which copies it.

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

// The helper: copies `bytes` from `address` + `offset` to memory of the program; zeros where
// they cannot be read.
void copy_kernel(Emitter& e, Reg to, Reg address, std::int32_t offset, std::uint32_t bytes);
// As load_word() by the helper, through a slot of at least 8 bytes. Any `size` up to 8.
Reg fetch_word(Emitter& e, StackSlot slot, Reg address, std::int32_t offset, std::uint32_t size);
// By the one or the other.
Reg read_word(Emitter& e, const Words& words, Reg address, std::int32_t offset, std::uint32_t size);

}  // namespace dt::bpf

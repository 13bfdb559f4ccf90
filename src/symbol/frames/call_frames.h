#pragma once
// How stacks of programs that keep no frame pointers are unwound: the call frame
// information of a file (.eh_frame; .debug_frame when there is none) as one table,
// small enough to be read by a program in the kernel. Only rip, rsp, rbp and rbx
// are followed. x86-64.
//
//   offset in the file   rule
//   0x1000               CFA = rsp + 8, rbp is the caller's
//   0x1001               CFA = rsp + 16, the caller's rbp at CFA - 16
//   0x1004               CFA = rbp + 16, the caller's rbp at CFA - 16
//   0x1052               CFA = rsp + 8, ...
//   0x1053               (nothing is known from here to the next row)
//
// The CFA ("canonical frame address") is what rsp is in the caller, after its call
// has returned; the address that is returned to is in the eight bytes below it.

#include <cstdint>
#include <vector>

#include "symbol/elf/file.h"
#include "symbol/frames/frame_table.h"

namespace dt::symbol {

// Empty without call frame information. Of functions that overlap, the first in the file
// has what is common to both; those outside of executable segments, or beyond 4 GiB, are
// left out.
//
// Damage costs as little as it can: a function's instructions are kUnsupported from where
// they are damaged on, entries that cannot be read are left out, and one whose length is
// wrong is the last. An error when the file cannot be read, is not for x86-64, or has more
// than kMaxFrameBytes of this. There are fewer rows than bytes of call frame information.
constexpr std::uint64_t kMaxFrameBytes = std::uint64_t{64} << 20;
Result<FrameTable> frame_table(const ElfFile& elf);

// An upper estimate, in bytes, of the memory that frame_table() and what is made of its result
// need, from the sizes of sections, as measured with large libraries.
std::uint64_t frame_table_memory(const ElfFile& elf);

// The code that each entry for a function describes, and that of functions of Go, as addresses in
// the file, by their beginnings. What overlaps is all there. Bounds and errors as above.
Result<std::vector<CodeRange>> frame_ranges(const ElfFile& elf);

}  // namespace dt::symbol

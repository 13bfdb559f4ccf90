#pragma once
// How stacks are unwound in files that do not say it: what their instructions do to the stack
// pointer, from where functions begin. musl's C library is built so, and what is linked with
// it statically.

#include "symbol/elf/file.h"
#include "symbol/frames/frame_table.h"

namespace dt::symbol {

// `table`, when it has most of the code of .text. Otherwise also what the code says, where that
// is certain: a place that is reached in two different states, or by a jump that cannot be
// followed, is kUnsupported, as such code has no frame pointers to go by either.
FrameTable with_code_frames(const FrameTable& table, const ElfFile& elf);

}  // namespace dt::symbol

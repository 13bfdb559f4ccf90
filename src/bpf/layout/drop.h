#pragma once
// What is lost, and what tables get, is counted: the subprogram that every program calls for it.

#include "bpf/asm/emitter.h"
#include "bpf/layout/memory.h"
#include "record/drop.h"

namespace dt::bpf {

// Calls the drop subprogram for one drop counter.
void count_drop(Emitter& e, Label drop_function, record::Drop what);
// And for an element that was added to a map, by its counter at Memory::added_offset.
void count_added(Emitter& e, Label drop_function, const Memory& memory, std::uint32_t counter);

// This CPU's block in the per-CPU map; goes to `out` for a CPU out of range.
Reg cpu_block(Emitter& e, const Memory& memory, Label out);

// The drop subprogram: adds one to this CPU's counter at the offset from the first that it is
// given.
void emit_drop_function(Emitter& e, Label name, const Memory& memory);

}  // namespace dt::bpf

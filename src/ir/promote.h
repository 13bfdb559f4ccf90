#pragma once
// Clause-local integer variables as values: loads and stores of `this->x`
// become uses and definitions, with block parameters where paths meet.

#include <cstdint>
#include <span>

#include "ir/fused.h"

namespace dt::ir {

struct Program;

// Works on a function that fuse() has put together, before its dead code is
// removed; fills in fused.in_memory. The variables `shared` stay in memory.
void promote(const Program& program, Fused& fused, std::span<const std::uint32_t> shared);

}  // namespace dt::ir

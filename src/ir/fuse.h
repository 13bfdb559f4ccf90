#pragma once
// Fusing: makes the one function of a program (ir/fused.h) from the clauses that it serves.

#include <cstdint>
#include <span>

#include "ir/fused.h"
#include "ir/ir.h"

namespace dt::ir {

// Copies, joins and optimises the clauses' bodies. Linear in their size. A fault
// runs the clauses `on_fault` (indices into Program::clauses), whose stores are
// seen by the clauses that follow. The clause-local variables `shared` stay in
// memory, where other functions of the same firing find them.
Fused fuse(const Program& program, std::span<const FuseClause> clauses,
           std::span<const std::uint32_t> on_fault = {},
           std::span<const std::uint32_t> shared = {});

}  // namespace dt::ir

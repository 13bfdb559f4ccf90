#pragma once
// Code that is not on the hot path: subprograms that every program may call.

#include <cstdint>

#include "bpf/routine/unit.h"
#include "enabling/plan.h"

namespace dt::bpf {

// Whether the clauses of ERROR need the context of the program that faulted.
bool errors_need_context(const ir::Program& program, const enabling::Plan& plan);

// The fault subprogram, called where a clause faults, with these parameters:
//
//   r1  fault site (high half) and EPID of the clause (low half)
//   r2  number of the action (low half), fault code (16 bits) and, where firings have
//       numbers, that of this one (16 bits, as in a record's tag)
//   r3  index of the instruction that faulted
//   r4  address
//   r5  the context, where ERROR's clauses need it
//
// Without the last it is global: however long ERROR's clauses are, the verifier
// follows them once and not from every place that can fault.
//
// Writes the FaultRecord, then runs ERROR's clauses, whose arg1..arg5 are made
// of these.
// `calls` is how many calls below main it is.
void emit_fault_function(Unit& unit, const enabling::Plan& plan, std::uint32_t calls);

}  // namespace dt::bpf

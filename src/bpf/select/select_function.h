#pragma once
// Selection: writes one BPF function for one fused IR function.
//
// The main program of a unit, each of its parts and its fault subprogram (which runs ERROR's
// clauses) are each one function. For every instruction code is written through the Emitter;
// registers are the allocator's concern.
//
//   context.h        FunctionContext: what all who write the function share
//   analysis.h       Analysis: what is found out about the function before code is written
//   control_flow.h   ControlFlow: from block to block
//   value.h          Value and Place: where things are
//
// Each operation belongs to one collaborator (Integers, Strings, Variables, Aggregations, ...),
// whose header is named after it. A collaborator is given, by reference, the context and those
// other collaborators that it needs; select_function.cc alone knows them all.

#include "bpf/asm/emitter.h"
#include "bpf/routine/unit.h"
#include "bpf/select/function_spec.h"
#include "ir/fused.h"

namespace dt::bpf {

// Writes a whole function. `leave` is bound at its end, where nothing is held, and returns 0.
void select_function(Unit& unit, FunctionSpec spec, const ir::Fused& fused, Label leave);

}  // namespace dt::bpf

#pragma once
// Parts: a program whose clauses are more than one function should hold.
//
// The verifier remembers a state for every branch that it has yet to follow (at
// most 8,192) and follows every clause in each state that the clauses before it
// can leave behind. So beyond a size the clauses of a program are divided, in
// order, into functions that are verified by themselves:
//
//     main:  state check -> prologue -> frame -> part 0 -> part 1 -> ... -> exit
//
// The state of the firing is in its scratch frame, behind the busy flag;
// the parts get the frame's number:
//
//         busy flag, and what firings leave to one another: frame_begin()
//         the slot
//         the time: 0 until a clause has read the clock
//         vtimestamp, likewise
//         the firing's number: 0 until it has recorded something
//         clause-local variables that more than one part uses; 0 at the start
//         arguments, registers and errno that any part uses, taken by main
//         the frame's number, when a part uses its region (frame.h)
//         the state of strtok()
//     end from here on, what the part at work needs
//
// Not through parameters: function.h says what verifiers make of those.
//
// A part is a global function (kernel/function.h) unless one of its clauses
// needs the context, which kernels before 6.8 do not let such a function have;
// then it is static, and verified with main.

#include <cstdint>
#include <vector>

#include "bpf/asm/emitter.h"
#include "bpf/program/limits.h"
#include "bpf/routine/unit.h"
#include "bpf/select/firing.h"
#include "bpf/select/function_spec.h"
#include "enabling/plan.h"
#include "ir/fuse.h"

namespace dt::bpf {

struct Part {
  std::vector<enabling::ClauseBinding> bindings;
  bool needs_context = false;
};

// A single part when the clauses fit one function.
std::vector<Part> divide(const ir::Program& program, const enabling::ProgramPlan& plan,
                         bool faults_need_context, const Limits& limits);

// `begin` is the frame_begin().
Firing plan_firing(const ir::Program& program, const std::vector<Part>& parts, std::uint32_t begin,
                   bool has_number);

// The clauses of main, divided.
struct Division {
  std::vector<Part> parts;
  std::vector<ir::Fused> fused = {};         // by part
  std::vector<std::vector<bool>> ends = {};  // by part: exits.h
  Firing firing;                             // what the parts share, if there are several
};

// Main from the frame on, and the parts. Registers of `spec` that hold what main knows are used by
// main alone.
void emit_parts(Unit& unit, const FunctionSpec& spec, const Division& divided, Label leave);

}  // namespace dt::bpf

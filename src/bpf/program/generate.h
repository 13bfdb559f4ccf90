#pragma once
// ECBs -> BPF instructions. Pure: needs no kernel and no root.

#include <optional>

#include "bpf/asm/object.h"
#include "support/result.h"
#include "support/source.h"

namespace dt::enabling {
struct Plan;
}

namespace dt::ir {
struct Program;
}

namespace dt::bpf {

class Prologue;
struct Memory;

// How much of a program one function may hold, in weights that are rough numbers
// of BPF instructions; parts.h says what becomes of more.
struct Limits {
  std::uint32_t whole = 2500;  // clauses that are heavier together are divided
  std::uint32_t part = 400;    // then a part of them is at least that heavy
};

// Generates the program that serves `plan.programs[index]`. Appends to
// schema.fault_sites; raises memory.scratch_bytes where it needs more. When the
// script asks for what cannot be generated, `refused` becomes the place of it.
Result<Object> generate(const ir::Program& program, enabling::Plan& plan, std::size_t index,
                        Prologue& prologue, Memory& memory, const Limits& limits = {},
                        std::optional<Span>* refused = nullptr);

// The auxiliary program that vtimestamp needs, for the raw tracepoint
// sched_switch: adds the time that the leaving thread was on the CPU to its
// thread-local storage and notes in this CPU's misc word 0 when the next one
// came (0 until the first switch).
Result<Object> generate_vtime_switch(const Memory& memory);

}  // namespace dt::bpf

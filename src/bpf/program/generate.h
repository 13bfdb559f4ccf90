#pragma once
// ECBs -> BPF instructions. Pure: needs no kernel and no root.

#include <optional>

#include "bpf/asm/object.h"
#include "bpf/program/limits.h"
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

// Generates the program that serves `plan.programs[index]`. Appends to
// schema.fault_sites; raises memory.scratch_bytes where it needs more. When the
// script asks for what cannot be generated, `refused` becomes the place of it.
Result<Object> generate(const ir::Program& program, enabling::Plan& plan, std::size_t index,
                        Prologue& prologue, Memory& memory, const Limits& limits = {},
                        std::optional<Span>* refused = nullptr);

}  // namespace dt::bpf

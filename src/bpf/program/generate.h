#pragma once
// ECBs -> BPF instructions. Pure: needs no kernel and no root.

#include <optional>

#include "bpf/asm/object.h"
#include "bpf/program/limits.h"
#include "support/result.h"

namespace dt::enabling {
struct Plan;
}

namespace dt::ir {
struct Program;
struct Refusal;
}  // namespace dt::ir

namespace dt::bpf {

class Prologue;
struct Memory;

// Generates the program that serves `plan.programs[index]`. Appends to
// schema.fault_sites; raises memory.scratch_bytes where it needs more. When the
// program asks for something that cannot be generated, `refused` says what, and the front-end
// words it; the error's text is that of ir::plain_text().
Result<Object> generate(const ir::Program& program, enabling::Plan& plan, std::size_t index,
                        Prologue& prologue, Memory& memory, const Limits& limits = {},
                        std::optional<ir::Refusal>* refused = nullptr);

}  // namespace dt::bpf

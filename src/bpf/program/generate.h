#pragma once
// ECBs -> BPF instructions. Pure: needs no kernel and no root.

#include <cstddef>
#include <optional>
#include <vector>

#include "bpf/asm/object.h"
#include "bpf/layout/additions.h"
#include "bpf/program/limits.h"
#include "record/schema.h"
#include "support/result.h"

namespace dt::enabling {
struct Plan;
struct ProgramPlan;
}  // namespace dt::enabling

namespace dt::ir {
struct Program;
struct Refusal;
}  // namespace dt::ir

namespace dt::bpf {

class Prologue;
struct Memory;

// What one program is generated of. Nothing of it is changed, but for what the prologue keeps.
struct ProgramSource {
  const ir::Program& program;
  const enabling::Plan& plan;
  std::size_t index;  // which of plan.programs
  Prologue& prologue;
  const Memory& memory;
  Limits limits = {};

  const enabling::ProgramPlan& own_plan() const;
};

struct GeneratedProgram {
  Object object;
  // Numbered by the code as they will be when they follow those that the schema has.
  std::vector<record::FaultSite> fault_sites;
  Additions additions;
};

// Generates a program. What its code needs to run is to be taken over with take() before the next
// program is generated. When the program asks for something that cannot be generated, `refused`
// says what, and the front-end words it; the error's text is that of ir::plain_text().
Result<GeneratedProgram> generate(const ProgramSource& of,
                                  std::optional<ir::Refusal>* refused = nullptr);

// Adds what the program `index` of the plan needs to the schema and the memory; gives its object.
Object take(GeneratedProgram generated, std::size_t index, record::Schema& schema, Memory& memory);

}  // namespace dt::bpf

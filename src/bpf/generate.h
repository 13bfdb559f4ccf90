#pragma once
// ECBs -> BPF instructions. Pure: needs no kernel and no root.

#include <linux/bpf.h>

#include <optional>
#include <string>
#include <vector>

#include "bpf/emitter.h"
#include "bpf/memory.h"
#include "enabling/plan.h"
#include "ir/ir.h"
#include "support/result.h"

namespace dt::bpf {

// An ld_imm64 whose immediate is a map, filled in by the linker.
struct Relocation {
  std::uint32_t insn = 0;
  MapRef map;
  bool is_value = false;  // the address of `offset` in the map's value
  std::uint32_t offset = 0;
};

// How much of a program one function may hold, in weights that are rough numbers
// of BPF instructions; parts.h says what becomes of more.
struct Limits {
  std::uint32_t whole = 2500;  // clauses that are heavier together are divided
  std::uint32_t part = 400;    // then a part of them is at least that heavy
};

struct LineEntry {
  std::uint32_t insn = 0;  // this one and those after it, until the next entry
  Span span;
};

struct Object {
  std::string program;          // ProgramPlan::program
  std::vector<bpf_insn> insns;  // main program, then its subprograms
  std::vector<Relocation> relocations;
  std::vector<LineEntry> lines;
  // All functions, ascending, when one of them is global; otherwise empty.
  std::vector<kernel::Function> functions;
  std::uint32_t stack_bytes = 0;
  bool waits = false;  // for memory: to be loaded as a program that sleeps
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

// The text of -S: one line per instruction, D lines as comments between.
std::string disassemble(const Object& object, const Sources& sources);
// One instruction, kernel syntax: "r1 = *(u64 *)(r6 + 8)".
std::string disassemble(const bpf_insn& insn, const bpf_insn* next);

}  // namespace dt::bpf

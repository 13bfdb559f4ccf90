#pragma once
// Object: a program as instructions, before its maps exist; and its text.

#include <linux/bpf.h>

#include <cstdint>
#include <string>
#include <vector>

#include "bpf/asm/reg.h"
#include "kernel/function.h"
#include "support/source.h"

namespace dt::bpf {

// An ld_imm64 whose immediate is a map, filled in by the linker.
struct Relocation {
  std::uint32_t insn = 0;
  MapRef map;
  bool is_value = false;  // the address of `offset` in the map's value
  std::uint32_t offset = 0;
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

// The text of -S: one line per instruction, D lines as comments between.
std::string disassemble(const Object& object, const Sources& sources);
// One instruction, kernel syntax: "r1 = *(u64 *)(r6 + 8)".
std::string disassemble(const bpf_insn& insn, const bpf_insn* next);

}  // namespace dt::bpf

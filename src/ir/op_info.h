#pragma once
// What src/ir/ops.def says of an operation. Code that treats operations alike (the text form, the
// verifier, the passes, the division into functions) reads it here and names none of them.

#include <cstdint>

#include "ir/ir.h"

namespace dt::ir {

// The passes rely on the traits. One that is missing makes wrong code (kWritesMemory, kEffect,
// kFaults); one too many makes slower code.
struct OpInfo {
  enum Trait : std::uint32_t {
    kPure = 0,
    kInteger = 1 << 0,   // evaluate() computes it
    kCommutes = 1 << 1,  // in its two operands
    kDivides = 1 << 2,
    kCompares = 1 << 3,      // to 0 or 1
    kFaults = 1 << 4,        // it may
    kEffect = 1 << 5,        // must not be removed or duplicated
    kBySubroutine = 1 << 6,  // whether it faults and has an effect: SubroutineInfo
    // Memory of the kernel or of a process, which kWritesMemory changes: not to be repeated.
    kReadsMemory = 1 << 7,
    kWritesMemory = 1 << 8,  // scratch memory or, from there, the process's
    kUsesScratch = 1 << 9,   // without writing it
    kReadsVariable = 1 << 10,
    kWritesVariable = 1 << 11,  // it may read it, too
    kDestructive = 1 << 12,     // needs -w
    // The address may be one of the process: a program that may sleep waits for memory that is not
    // resident. An address in the lower half is the process's, so reads of the kernel have this
    // too.
    kMayReadUser = 1 << 13,
    kLoadsWord = 1 << 14,  // of the kernel: by a plain load where the kernel allows one
  };
  enum Weight : std::uint32_t {
    kUsual = 0x10000,  // by whether it may fault and what its result takes to copy
    kOwn,              // by what it names: bpf/program/parts.cc
  };

  // As the text form writes it.
  const char* name;
  const char* operands;
  char result;
  const char* text;
  std::uint32_t traits;
  std::uint32_t weight;
};

constexpr std::size_t kOpCount = 0
#define DT_OP(id, name, operands, result, text, family, traits, weight) +1
#include "ir/ops.def"
#undef DT_OP
    ;

const OpInfo& op_info(Op op);
inline bool has_trait(Op op, OpInfo::Trait trait) { return (op_info(op).traits & trait) != 0; }

// Whether the instruction may read memory of the process: by its operation (kMayReadUser), or by
// the subroutine or the built-in that it names.
bool may_read_user(const Inst& inst);

}  // namespace dt::ir

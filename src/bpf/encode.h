#pragma once
// LIR -> bpf_insn: the whole way from an Emitter to an Object.

#include <vector>

#include "bpf/emitter.h"
#include "bpf/generate.h"
#include "bpf/lir.h"
#include "bpf/memory.h"
#include "support/result.h"

namespace dt::bpf {

struct Assembly {
  Object object;  // `program` is left empty
  // By label: the index of the instruction that follows it, kNone where the
  // label is not bound or its code was unreachable.
  std::vector<std::uint32_t> label_insn;
};

// Folds, allocates registers and stack, cleans up and encodes. Consumes the
// emitter's code. An error says which limit was exceeded (stack, jump range).
Result<Assembly> assemble(Emitter& emitter, const Machine& machine);

// The last step alone: `code` has real registers only.
Result<Assembly> encode(LirCode code, const Machine& machine);

// How many bpf_insns one instruction takes.
std::uint32_t insn_count(const Lir& lir, const Machine& machine);

// Makes every jump span at most 16 bits: through the 32-bit `gotol` of cpu v4
// where the machine has it, otherwise through islands of jumps that the code
// jumps around. A no-op for programs of ordinary size.
Status shorten_jumps(LirCode& code, const Machine& machine);

}  // namespace dt::bpf

#pragma once
// LIR -> bpf_insn: the whole way from an Emitter to an Object.

#include <vector>

#include "bpf/asm/emitter.h"
#include "bpf/asm/lir.h"
#include "bpf/asm/object.h"
#include "bpf/asm/target.h"
#include "support/result.h"

namespace dt::bpf {

struct Assembly {
  Object object;  // `program` is left empty
  // By label: the index of the instruction that follows it, kNoId where the
  // label is not bound or its code was unreachable.
  std::vector<std::uint32_t> label_insn;
};

// Folds, allocates registers and stack, cleans up and encodes. Consumes the
// emitter's code. An error says which limit was exceeded (stack, jump range).
Result<Assembly> assemble(Emitter& emitter, const Target& target);

// The last step alone: `code` has real registers only.
Result<Assembly> encode(LirCode code, const Target& target);

// How many bpf_insns one instruction takes.
std::uint32_t insn_count(const Lir& lir, const Target& target);

// Makes every jump span at most 16 bits: through the 32-bit `gotol` of cpu v4
// where the machine has it, otherwise through islands of jumps that the code
// jumps around. A no-op for programs of ordinary size.
Status shorten_jumps(LirCode& code, const Target& target);

}  // namespace dt::bpf

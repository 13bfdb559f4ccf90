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

}  // namespace dt::bpf

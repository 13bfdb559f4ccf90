#pragma once
// Choices without branches.
//
// The verifier would follow a branch to the end of the clause on both its ways.
// So what does not exist is read, too, as 0, and a mask, which is all ones or 0,
// says which of the values holds.

#include <cstdint>

#include "bpf/asm/emitter.h"

namespace dt::provider {

bpf::Reg is_not_zero(bpf::Emitter& e, bpf::Reg value);
bpf::Reg is_not(bpf::Emitter& e, bpf::Reg value, std::int32_t constant);
bpf::Reg negation(bpf::Emitter& e, bpf::Reg mask);
bpf::Reg both(bpf::Emitter& e, bpf::Reg a, bpf::Reg b);
// The bits of `value` that are in `which`.
bpf::Reg bits(bpf::Emitter& e, bpf::Reg value, std::int32_t which);
// target = mask ? value : target
void take_if(bpf::Emitter& e, bpf::Reg mask, bpf::Reg target, bpf::Reg value);

}  // namespace dt::provider

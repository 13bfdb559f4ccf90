#pragma once
// Turning the conditions of jumps around.

#include <optional>

#include "bpf/asm/emitter.h"

namespace dt::bpf {

// What holds when `cond` does not; kSet has no such condition.
std::optional<Cond> inverse(Cond cond);

// The condition of (b, a) that is `cond` of (a, b).
Cond mirrored(Cond cond);

}  // namespace dt::bpf

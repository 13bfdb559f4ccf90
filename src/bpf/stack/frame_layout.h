#pragma once
// How a scratch frame begins.

#include <cstdint>

#include "bpf/layout/machine.h"

namespace dt::bpf {

// Where in a scratch frame there is room for a firing: behind the busy flag, and what
// firings leave to one another (unwind.h).
std::uint32_t frame_begin(const Machine& machine);

}  // namespace dt::bpf

#pragma once
// The tasks that the BPF interpreter's world and the IR interpreter's share.

#include "testing/bpf/interp.h"
#include "trial.h"

namespace dt::differential {

constexpr std::uint64_t kModelTask = 0xffff888000010000;
constexpr std::uint64_t kModelParent = 0xffff888000030000;

// The running task's task_struct and its parent's, by address.
bpf::ForeignMemory model_tasks(const Identity& identity, const bpf::Machine& machine);

}  // namespace dt::differential

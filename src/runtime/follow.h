#pragma once
// What -x follow needs beside the script's own programs: one on the tracepoint
// sched_process_fork that marks the children of traced processes (bpf/program/follow.h).

#include "bpf/program/generate.h"
#include "runtime/session.h"
#include "types/type.h"

namespace dt::runtime {

// `object` must outlive the session. `types`: the kernel's.
Result<Load> follow_forks(const bpf::Object& object, const types::Catalog& types);

}  // namespace dt::runtime

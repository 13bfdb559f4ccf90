#pragma once
// What -x follow needs beside the script's own programs: one on the tracepoint
// sched_process_fork that marks the children of traced processes (bpf/program/follow.h).

#include "runtime/load.h"

namespace dt::types {
class Catalog;
}

namespace dt::runtime {

// `object` must outlive the session. `types`: the kernel's.
Result<Load> follow_forks(const bpf::Object& object, const types::Catalog& types);

}  // namespace dt::runtime

#pragma once
// What is fixed about this machine before code is made.

#include "bpf/layout/machine.h"
#include "support/result.h"

namespace dt::ir {
struct Program;
}

namespace dt::kernel {
class Kernel;
}

namespace dt::types {
class Catalog;
}

namespace dt::runtime {

// `types` is asked for the places of members of struct task_struct; nullptr
// leaves them unknown (-1), which saves opening the kernel's BTF for a script
// that does not need them.
bpf::Machine describe_machine(kernel::Kernel& kernel, const types::Catalog* types);

// Begins to look for what describe_needs() asks of most programs that use a library.
void expect_needs(const types::Catalog& types);

// What the prologues of the program's probes need: see bpf::Prologue.
struct PrologueNeeds {
  bool may_wait = false, reads_kernel = false;
};

// Adds what only some programs need to know, when this one does.
void describe_needs(kernel::Kernel& kernel, const types::Catalog& types, const ir::Program& program,
                    const PrologueNeeds& needs, bpf::Machine& machine);

// Where a thread's zone is found. An error where the kernel does not tell.
Result<bpf::Zone> find_zone(const types::Catalog& types, std::string_view name);
// The same for its control groups.
Result<bpf::Cgroup> find_cgroup(const types::Catalog& types, std::string_view name);

}  // namespace dt::runtime

#pragma once
// The programs that write Program::arguments (bpf/program/arguments.h), as programs to load.

#include <vector>

#include "runtime/load.h"

namespace dt::types {
class Catalog;
}

namespace dt::runtime {

// `objects`, of bpf::generate_arguments(), must outlive the session. `types`: the kernel's.
Result<std::vector<Load>> note_arguments(const std::vector<bpf::Object>& objects,
                                         const types::Catalog& types);

}  // namespace dt::runtime

#pragma once
// Loads the programs of a run into the kernel.

#include <cstddef>
#include <functional>
#include <optional>

#include "api/run/compile.h"
#include "support/diagnostics.h"
#include "support/result.h"

namespace dt::runtime {
class Session;
}

namespace dt::api {

// Into `session`, which attaches them later. `before_each` is called with the number of a program
// and the number of all programs; if it returns an error, no further program is loaded. If the
// verifier refuses a program, that is the error, and `rejected` is the place in the script if it is
// known.
Status load_programs(const Compiled& compiled, runtime::Session& session,
                     const std::function<Status(std::size_t number, std::size_t of)>& before_each,
                     std::optional<Diagnostic>& rejected);

}  // namespace dt::api

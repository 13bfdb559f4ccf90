#pragma once
// Loads the programs of a run into the kernel.

#include <cstddef>
#include <functional>
#include <optional>

#include "api/compile.h"
#include "support/diagnostics.h"
#include "support/result.h"

namespace dt::runtime {
class Session;
}

namespace dt::api {

// Into `session`, which attaches them later. `before_each` is called with the number of the program
// and how many there are; its error ends it. If the verifier refuses a program, the error says so,
// and `rejected` is the place in the script, where it is known.
Status load_programs(const Compiled& compiled, runtime::Session& session,
                     const std::function<Status(std::size_t number, std::size_t of)>& before_each,
                     std::optional<Diagnostic>& rejected);

}  // namespace dt::api

#pragma once
// Where a program's own code begins, and a traced program's way to it.

#include <sys/types.h>

#include <cstdint>
#include <optional>
#include <string_view>

#include "support/result.h"

namespace dt::runtime {

// The address of the first instruction of the program itself (AT_ENTRY), from
// the bytes of /proc/PID/auxv; nullopt when it does not say.
std::optional<std::uint64_t> entry_of_auxv(std::string_view auxv);

// Lets a program that has just been executed, and is stopped and traced by this
// thread, run until it comes to its entry point, and leaves it stopped there. A
// hardware breakpoint waits for it: nothing of the program is changed. What it
// was sent meanwhile is given to it. `ended`: the status of wait(2) when it has
// ended on the way, which is not an error.
Status run_to_entry_point(pid_t pid, std::optional<int>& ended);

}  // namespace dt::runtime

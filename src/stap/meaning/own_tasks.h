#pragma once
// pid2task(pid()), pid2execname(pid()), and the same of tid() and ppid(): of the process that
// fires.
//
// The handler runs some milliseconds after its event, when the process may be gone, so a look-up by
// its number would find nothing, and memory of the task could no longer be read. These calls become
// those of functions of the library (lib/stap/task.stp), which start at the task that fires.

#include <string_view>

#include "stap/syntax/tree.h"

namespace dt::stap {

void name_own_tasks(Script& script);

// Whether the script itself has a function of that name: calls mean it, and not the library's.
bool is_of_script(const Script& script, std::string_view name);

}  // namespace dt::stap

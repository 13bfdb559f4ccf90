#pragma once
// $x of a point of the library that has no x, but a variable x of the same meaning.
//
// Where a kernel does not let its functions be traced, vfs.read is a system call: the file that the
// function vfs_read() is given, $file, is there what the alias has found, and calls `file`.

#include "stap/events/probes.h"
#include "stap/meaning/program.h"

namespace dt::stap {

// In the body of the script, and not in those of aliases.
void lend_alias_variables(Handler& handler, const EventProbes& probes);

}  // namespace dt::stap

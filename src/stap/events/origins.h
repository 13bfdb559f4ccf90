#pragma once
// Origins: which memory a handler may read, as what its event can compute.
//
// The handler runs at home, when the memory may have changed, so the event records what the handler
// may ask. Every address that an expression may have is followed back to what the firing knows:
// arguments, the current task, constants, and memory at such an address, through variables and
// functions, whatever the order in which they run. All of them are recorded with their address.
// The handler takes what was recorded at the very address that it has computed, so a value is never
// that of another place. Where a loop goes over a list, its first turns are followed: a handler
// that makes more of them has an error. An address that comes from elsewhere (a global variable, an
// index that is counted) cannot be recorded, and is refused.

#include "stap/events/probes.h"
#include "stap/meaning/program.h"
#include "stap/syntax/messages.h"

namespace dt::stap {

// Into Handler::origins and Handler::readings. False after an error, which is reported.
bool find_origins(Program& program, Messages& messages);

}  // namespace dt::stap

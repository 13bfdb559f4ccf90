#pragma once
// What is settled before names are looked at, as it depends on what the probes are:
//
// * @defined(x) and @choose_defined(x, y): a number, and the branch that is not taken is gone.
// Probes
//   of one point for which they differ get handlers of their own.
// * @const("NAME"): a number.
// * @entry(x), and $x at a return, which is its value at the entry: a handler at the entry keeps it
//   for the thread, and the handler at the return reads it as a variable (kEntryPrefix).

#include "front/world.h"
#include "stap/events/probes.h"
#include "stap/meaning/program.h"
#include "stap/syntax/messages.h"

namespace dt::stap {

// False after an error, which is reported.
bool settle(Program& program, EventProbes& probes, const front::World& world, Messages& messages);

}  // namespace dt::stap

#pragma once
// Lists: the points that a script names, what they know, and what the library has (-l, -L, --dump).

#include <cstdint>
#include <string>

#include "stap/events/probes.h"
#include "stap/meaning/program.h"

namespace dt::stap {

enum class Listing : std::uint8_t { kNothing, kPoints, kVariables, kAliases, kFunctions, kTypes };

// The list, a line for each item, in order; empty if there is none.
std::string list(Listing what, const Program& program, const EventProbes& probes);

}  // namespace dt::stap

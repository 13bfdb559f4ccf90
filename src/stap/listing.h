#pragma once
// Lists: the points that a script names, what they know, and what the library has (-l, -L, --dump).

#include <cstdint>
#include <string>

#include "stap/events/probes.h"
#include "stap/meaning/program.h"

namespace dt::stap {

enum class Listing : std::uint8_t { kNothing, kPoints, kVariables, kAliases, kFunctions, kTypes };

// A line for each, in order; empty: there is nothing.
std::string list(Listing what, const Program& program, const EventProbes& probes);

}  // namespace dt::stap

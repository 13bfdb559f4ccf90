#pragma once
// Points that are not there: why, and which of a pattern are left out.

#include <cstdint>
#include <string>
#include <vector>

#include "front/world.h"
#include "stap/meaning/program.h"
#include "stap/syntax/messages.h"

namespace dt::stap {

// The number of the pattern of aliases that has made the handler; 0: none has.
std::uint32_t pattern_of(const Handler& handler);
// Of the system calls that this machine has.
std::vector<std::string> call_names(const front::World& world);
void report_absent(const front::World& world, const Programs& programs, const Event& event,
                   Messages& messages);
// Of the handlers without probes, the aliases that a pattern means, and why they are not there:
// "ipmib.ReasmReqds: this kernel does not let its functions be traced".
std::vector<std::string> left_out_points(const front::World& world,
                                         const std::vector<const Handler*>& absent);

}  // namespace dt::stap

#pragma once
// What to do when a firing cannot read the process's memory where an argument of its probe points.

#include <cstdint>
#include <string>

#include "probe/probe.h"

namespace dt::d {

// What front::FrontEnd::advice() says of D. "" where nothing is known of the argument.
std::string advice_on(const probe::Catalog& probes, ProbeId probe, std::uint32_t argument);

}  // namespace dt::d

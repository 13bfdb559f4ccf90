#pragma once
// What is said of a probe description that matches nothing.

#include <string_view>

#include "probe/probe.h"
#include "support/diagnostics.h"

namespace dt::probe {

// Reports what the provider refuses, or D_PDESC_ZERO with why there is none and with
// near matches.
Diagnostic& report_unmatched(const Catalog& probes, std::string_view description, Span span,
                             Diagnostics& diagnostics);

}  // namespace dt::probe

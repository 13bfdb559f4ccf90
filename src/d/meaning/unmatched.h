#pragma once
// The words of D for a probe description that matches nothing.

#include "probe/unmatched.h"
#include "support/diagnostics.h"

namespace dt::d {

// Reports what the provider refuses, or D_PDESC_ZERO with why there is no such probe and with
// near matches.
Diagnostic& report_unmatched(const probe::Unmatched& unmatched, Diagnostics& diagnostics);

}  // namespace dt::d

#pragma once
// Between what the library uses and what it gives.

#include <vector>

#include "dtrace/record.h"
#include "dtrace/result.h"
#include "dtrace/tracer.h"
#include "probe/probe.h"
#include "record/schema.h"
#include "support/diagnostics.h"
#include "support/result.h"

namespace dt::api {

dtrace::Error given(Error error);
dtrace::Status given(Status status);
dtrace::Diagnostic given(const Diagnostic& diagnostic, const Sources& sources);
dtrace::Probe given(const probe::Probe& probe);
// The probe of an enabled clause.
dtrace::Probe probe_of(const record::Schema& schema, std::uint32_t epid);
dtrace::Attributes given(const probe::Attributes& attributes);

}  // namespace dt::api

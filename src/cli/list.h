#pragma once
// dtrace -l: the probes, one a line, and with -v what they pass.

#include <string>

#include "cli/command_line.h"
#include "dtrace/tracer.h"

namespace dt::cli {

constexpr const char* kListHeader =
    "   ID   PROVIDER            MODULE                          FUNCTION NAME\n";
// `remark`: what stands behind the columns, or "".
std::string list_row(const dtrace::Probe& probe, const std::string& remark);
// The stability report below a row under -v.
std::string list_details(const dtrace::ProbeDetails& details);
// The report of -v on the program of that number; empty when it has no clauses.
std::string stability_report(const CommandLine& line, const dtrace::Tracer& tracer,
                             std::size_t index);
std::string stability_reports(const CommandLine& line, const dtrace::Tracer& tracer);

}  // namespace dt::cli

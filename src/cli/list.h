#pragma once
// dtrace -l: the probes, one a line, and with -v what they pass.

#include <optional>
#include <string>
#include <string_view>

#include "cli/command_line.h"
#include "dtrace/tracer.h"

namespace dt::cli {

// A list as `-x oformat` wants it.
enum class ListForm { kText, kCsv, kJsonLines };

// Nothing if the format is none of a list.
std::optional<ListForm> list_form(const CommandLine& line);
// The line above the rows; empty where there is none.
std::string list_header(ListForm form);
// `remark`: what stands behind the columns, or "". With `details`, what -v shows of the probe.
std::string list_row(ListForm form, const dtrace::Probe& probe, const std::string& remark,
                     const std::optional<dtrace::ProbeDetails>& details);
// Text of a recording as a JSON line: {"v":1,"type":"recording","about":...}.
std::string list_about(std::string_view about, std::string_view views);
// The report of -v on the program of that number; empty when it has no clauses.
std::string stability_report(const CommandLine& line, const dtrace::Tracer& tracer,
                             std::size_t index);
std::string stability_reports(const CommandLine& line, const dtrace::Tracer& tracer);

}  // namespace dt::cli

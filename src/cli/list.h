#pragma once
// dtrace -l: the probes, one a line, and with -v what they pass.

#include <string>

#include "cli/options.h"
#include "consumer/consumer.h"
#include "probe/probe.h"
#include "support/source.h"

namespace dt::cli {

constexpr const char* kListHeader =
    "   ID   PROVIDER            MODULE                          FUNCTION NAME\n";
std::string list_row(const probe::Probe& probe);
// The stability report below a row under -v.
std::string list_details(const probe::Probe& probe, const probe::Catalog& catalog);
// The report of -v on a program: the least of its clauses; "" for one without.
std::string stability_report(const std::vector<d::ClauseStability>& clauses, std::uint32_t source,
                             const Program& program);
std::string stability_reports(const CommandLine& line,
                              const std::vector<d::ClauseStability>& clauses);

}  // namespace dt::cli

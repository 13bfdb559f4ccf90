#pragma once
// The commands of dtrace(1). Each prints its own messages and returns the exit
// status.

#include <string>

#include "cli/command_line.h"

namespace dt::cli {

class Claim;

// Writes to standard output. If that fails, reports it; returns the exit status.
int print_text(const std::string& text);

// -l: every probe, or those that the programs name.
int list_probes(const CommandLine& line);

// -xexplain=PROBE: how the probe is served on this kernel.
int explain_probe(const CommandLine& line);

// --self-test: what this kernel can do, and whether each provider fires.
int self_test();

// --tools: the name of each and what it shows, of those only in which the word occurs.
int list_tools(const std::vector<std::string>& words);

// -h and -G: the file for programs that have the providers' probes.
int make_provider_file(const CommandLine& line);

// Everything else: the pipeline. With `claim`, nothing is printed until a process
// claims it.
int trace(const CommandLine& line, Claim* claim = nullptr);

}  // namespace dt::cli

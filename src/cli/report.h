#pragma once
// Everything that goes to stderr: only cli/ writes there.

#include <string>
#include <string_view>

#include "cli/options.h"
#include "enabling/plan.h"
#include "support/diagnostics.h"
#include "support/result.h"

namespace dt::cli {

// "dtrace: text\n". Like everything here, escaped on a terminal: names of files
// and words of scripts come from anywhere.
void say(std::string_view text);
// A diagnostic with its excerpt, without DTrace's line before it.
void say_excerpt(const Diagnostic& diagnostic, const Sources& sources);

// Text that is a message already.
void say_text(std::string_view text);

// "hint: text\n".
void say_hint(std::string_view text);

// An Error with its remedy, and its log under -v.
void report(const Error& error, bool verbose);

// The errors of a compilation: DTrace's line for the first, then every excerpt.
void report(const Diagnostics& diagnostics, const Sources& sources, const CommandLine& line);

// A script's file, or the text of a description up to its predicate or actions.
std::string program_name(const Program& program);

// "description 'syscall:::entry ' matched 722 probes".
std::string matched_text(const Program& program, std::uint32_t probes);

}  // namespace dt::cli

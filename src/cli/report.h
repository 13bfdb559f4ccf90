#pragma once
// Everything that goes to stderr: only cli/ writes there.

#include <string>
#include <string_view>

#include "cli/command_line.h"
#include "dtrace/result.h"
#include "dtrace/tracer.h"

namespace dt::cli {

// "dtrace: text\n". Like everything here, escaped: names of files
// and words of scripts come from anywhere.
void say(std::string_view text);

// Text that is a message already.
void say_text(std::string_view text);

// "hint: text\n".
void say_hint(std::string_view text);

// An error with its remedy, its log under -v, and its place in the script.
std::string error_text(const dtrace::Error& error, bool verbose);
void report(const dtrace::Error& error, bool verbose);
void report(const dtrace::Message& message);

// What compile() refused: when the programs are wrong, every excerpt.
void report_compilation(const dtrace::Error& error, const dtrace::Tracer& tracer);

// A script's file, or the text of a description up to its predicate or actions.
std::string program_name(const dtrace::Program& program);

// "description 'syscall:::entry ' matched 722 probes".
std::string matched_text(const dtrace::Program& program, std::uint32_t probes);

}  // namespace dt::cli

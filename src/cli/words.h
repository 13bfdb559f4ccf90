#pragma once
// Words of the command line: those of an interpreter line, and those behind a script, which say
// more than their letters.

#include <string>
#include <string_view>
#include <vector>

#include "dtrace/script.h"

namespace dt::cli {

// All words but the first one. `with_argument` has the letters that take one.
std::vector<std::string> split_interpreter_line(int argc, char** argv,
                                                std::string_view with_argument);

// Whether it is a program or the description of a probe, and no name of anything.
bool is_program(std::string_view text);

// Why no program has this name, which a tool is to look for; empty: one may have it.
std::string why_no_name(const dtrace::ScriptOption& flag, const std::string& name);

// `funcslower pid1234::run:entry`: a function is described without the name of the probe, which the
// script writes behind it.
void leave_out_names_of_probes(const dtrace::ScriptUsage& script,
                               std::vector<std::string>& arguments);

// `funclatency 'pid$target:libc:malloc'`: whether $target is in an argument.
bool names_target(const std::vector<std::string>& arguments);
// Puts the number of a process where the arguments have $target.
void write_target(std::vector<std::string>& arguments, const std::string& process);

}  // namespace dt::cli

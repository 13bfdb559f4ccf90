#pragma once
// How a script is used, as text: what `script -h` prints.

#include <string>

#include "dtrace/script.h"

namespace dt::cli {

// "opensnoop" for "tools/opensnoop.d".
std::string script_name(const std::string& path);

// "usage: opensnoop [-x] [-p PROCESS] [interval]", with a newline. A script that declares nothing
// has ARG1, ARG2, ... for the arguments that it refers to.
std::string script_usage_line(const std::string& path, const dtrace::ScriptUsage& usage);

// What it is, the line above, every option and argument, and examples.
std::string script_help(const std::string& path, const dtrace::ScriptUsage& usage);

}  // namespace dt::cli

#pragma once
// How a script is used, as text: what `script -h` prints.

#include <string>
#include <utility>
#include <vector>

#include "dtrace/script.h"

namespace dt::cli {

// A line for each row, indented by two blanks; what is on the right begins in one column.
std::string two_columns(const std::vector<std::pair<std::string, std::string>>& rows);

// "opensnoop" for "tools/opensnoop.d".
std::string script_name(const std::string& path);

// "usage: opensnoop [-x] [-p PROCESS] [interval]", with a newline. A script that declares nothing
// has ARG1, ARG2, ... for the arguments that it refers to.
std::string script_usage_line(const std::string& path, const dtrace::ScriptUsage& usage);

// What it is, the line above, every option and argument, and examples.
std::string script_help(const std::string& path, const dtrace::ScriptUsage& usage);

}  // namespace dt::cli

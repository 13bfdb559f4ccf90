#pragma once
// A script that declares options: what `script -h` prints, how options behind it are spelled, and
// what their values mean on this machine.

#include <string>
#include <string_view>
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

// Whether -x has an option of this name, whatever its values are.
bool is_option(std::string_view name);

// The name that the script has for a long option: bcc's commands have the same letters as tools,
// and other names (--pid).
std::string own_name(const dtrace::ScriptUsage& script, std::string name);

// The number of a user of this name; a name that no user has stays as it is.
std::string number_of_user(const std::string& name);

// What to write instead, when -x or -c is a flag of the script, so that `argument` was left over.
std::string hint_of_letters(const std::string& path, const dtrace::ScriptUsage& usage,
                            const std::string& argument);

// Whether the shell would run it.
bool is_command(const std::string& word);

// Whether it has nothing but digits.
bool is_number(std::string_view argument);

// What to write instead of an argument that the script does not take: the command, path, process or
// name that it may be. Empty: it may be anything.
std::string hint_of_word(const dtrace::ScriptUsage& usage, const std::string& argument);

// What to write instead of an option -d that a script has not: a duration.
std::string hint_of_missing(const dtrace::ScriptUsage& usage, char letter);

}  // namespace dt::cli

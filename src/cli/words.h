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

// The option of -x that a letter sets: "quiet" of -q, or "libdir" of -L with its argument; null:
// none.
const char* option_of_letter(char letter);

// Whether it is a program or the description of a probe, and no name of anything.
bool is_program(std::string_view text);

// Why no program has this name, which a tool is to look for; empty: one may have it.
std::string why_no_name(const dtrace::ScriptOption& flag, const std::string& name);

// `funcslower pid1234::run:entry`: a function is described without the name of the probe, which the
// script writes behind it.
void leave_out_names_of_probes(const dtrace::ScriptUsage& script,
                               std::vector<std::string>& arguments);

// Whether the script's flag has the name of a format of output, and chooses it.
bool is_format(const dtrace::ScriptOption& flag);

// `ttysnoop 2`: the number of a terminal stands for its name, as with bcc.
void write_terminal(const dtrace::ScriptOption& argument, std::string& given);

// Why an argument describes no probes, whatever there is on this machine; empty: it may.
struct Unmatched {
  std::string text, hint;
};
Unmatched find_unmatched(const dtrace::ScriptOption& argument, const std::string& given);

// `funclatency 'pid$target:libc:malloc'`: whether $target is in an argument.
bool names_target(const std::vector<std::string>& arguments);
// Puts the number of a process where the arguments have $target.
void write_target(std::vector<std::string>& arguments, const std::string& process);

}  // namespace dt::cli

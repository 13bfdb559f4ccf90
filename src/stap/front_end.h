#pragma once
// The SystemTap front-end. Handlers of events record what they ask, in the kernel; all handlers run
// at home (run.h).

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "front/front_end.h"
#include "stap/events/probes.h"
#include "stap/listing.h"
#include "stap/meaning/library.h"
#include "stap/meaning/program.h"

namespace dt::stap {

struct Options {
  std::vector<std::string> arguments;  // $1, @1, ...
  std::int64_t target = 0;             // of -c or -x
  std::string kernel_release;          // kernel_v of conditions
  // CONFIG_... of conditions: a value, "undefined" when it is not set; nothing where the
  // configuration of the kernel is not known.
  std::function<std::optional<std::string>(std::string_view name)> kernel_config;
  // As PointWorld has them.
  std::function<std::string(const std::string& name)> find_program;
  std::function<std::vector<std::string>(const std::string& pattern)> find_programs;
  std::function<std::string(const std::string& program, const std::string& name)> find_library;
  std::function<std::vector<CodeLine>(const std::string& program,
                                      const std::function<bool(const std::string& file)>& wants)>
      find_lines;
  std::function<std::vector<CodeLine>(const std::string&program)> find_inlined, find_labels;
  std::function<std::vector<CodeFunction>(const std::string& program)> find_functions;
  std::function<std::vector<CalledFunction>(const std::string& program, const CodeFunction& by)>
      find_called;
  std::function<std::vector<std::string>(const std::string& program)> find_linkage;
  ArgumentNames argument_names;
  ProgramVariables variables;
  Library library;
  std::vector<std::string> always;       // files of the library that are read in any case (-I)
  std::vector<LibraryFile> macros;       // their files of macros, for all files of the script
  std::vector<std::string> warnings;     // of what the options name
  std::vector<std::string> definitions;  // -D NAME=VALUE
  std::vector<std::string> globals;      // -G name=value
  // -l, -L and the dumps: what is listed instead of running the script.
  Listing listing = Listing::kNothing;
  bool prints_unread = true;  // --no-global-var-display
  bool is_timed = false;      // -t
  std::string module;         // -m: the name of the run
  bool names_stacks = false;  // of variables that are shown
  Program::Pictures pictures;
  bool tells_who_fires = false;  // of each outcome (front/outcome.h) of a firing
  bool is_guru = false;          // -g: what conditions see
  bool is_strict = false;        // -W: what is warned of is refused
};

std::unique_ptr<front::FrontEnd> make_front_end(Options options);

}  // namespace dt::stap

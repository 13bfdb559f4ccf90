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
  std::int64_t target = 0;             // the process of -c or -x; 0: there is none
  std::string kernel_release;          // kernel_v of conditions

  // CONFIG_... of conditions: its value; "undefined" if it is not set; nullopt if the configuration
  // of the kernel is not known.
  std::function<std::optional<std::string>(std::string_view name)> kernel_config;

  // The system around the script.
  ArgumentNames argument_names;
  Programs programs;
  ProgramVariables variables;

  Library library;
  std::vector<std::string> always;    // names of files of the library that every script has (-I)
  std::vector<LibraryFile> macros;    // files of macros (*.stpm) of the directories of -I
  std::vector<std::string> warnings;  // about the options; reported when the run begins

  std::vector<std::string> definitions;  // -D NAME=VALUE
  std::vector<std::string> globals;      // -G name=value
  std::string module;                    // -m: the name of the run; "": one is made

  // -l, -L and the dumps: this list is made, and the script does not run.
  Listing listing = Listing::kNothing;

  bool is_guru = false;              // -g: guru_mode of conditions, and C within limits
  bool is_strict = false;            // -W: a warning refuses the script
  bool skips_bad_variables = false;  // --skip-badvars
  bool is_timed = false;             // -t: the times of handlers are reported
  bool prints_unread = true;         // variables that nothing reads are printed at the end

  Program::Pictures pictures;
  bool names_stacks = false;     // in variables that are shown, addresses of stacks get names
  bool tells_who_fires = false;  // outcomes (front/outcome.h) have the process and time of a firing
};

std::unique_ptr<front::FrontEnd> make_front_end(Options options);

}  // namespace dt::stap

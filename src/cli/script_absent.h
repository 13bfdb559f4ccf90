#pragma once
// Options of a script that name something of this machine which is not there: a process, a disk, a
// service. A tool would wait for ever for it, and show nothing.

#include <string>
#include <utility>
#include <vector>

#include "dtrace/script.h"

namespace dt::cli {

struct Absent {
  std::string text;      // "option -d: there is no disk sdz"; empty: all are there
  std::string hint;      // which ones there are; may be empty
  bool may_come = true;  // -Z waits for it
};

// What to do about it, -Z included; may be empty.
std::string hint_of(const Absent& absent);

// The first option or argument with a value that this machine does not have. `named_args` are the
// values by the names of the options, `arguments` those of the arguments by position.
Absent find_absent(const dtrace::ScriptUsage& usage,
                   const std::vector<std::pair<std::string, std::string>>& named_args,
                   const std::vector<std::string>& arguments);

// "there is no unit nginx, and no control group of this name yet; did you mean nginx.service?" for
// a service, which a script may wait for; empty, if it is there.
std::string absent_service(const dtrace::ScriptUsage& usage,
                           const std::vector<std::pair<std::string, std::string>>& named_args,
                           const std::vector<std::string>& arguments);

}  // namespace dt::cli

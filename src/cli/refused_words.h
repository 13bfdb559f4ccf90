#pragma once
// Words of the command line that are refused, and what to say of them.

#include <string>
#include <string_view>

#include "dtrace/options.h"

namespace dt::cli {

// A hint for a long option that does not exist, "--list" or "--cgroup=x": the nearest one, which
// may be a letter; or "".
std::string long_option_hint(const std::string& word);

// What the letter takes, for a line that ends behind it.
std::string missing_argument_hint(char letter);

// Whether it is an option of -x by which dtrace -G of other systems edits objects. Here, objects
// are linked as they are.
bool is_of_linking(std::string_view option);

// A replay (-r) traces nothing, so all that asks for tracing is refused, also of options; empty:
// nothing does. `is_asked`: something else of the line asks for it.
std::string why_not_replayed(const dtrace::Options& options, bool is_asked);

}  // namespace dt::cli

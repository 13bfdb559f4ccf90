#pragma once
// Words of the command line that are refused, and what to say of them.

#include <string>
#include <string_view>

#include "dtrace/options.h"

namespace dt::cli {

// Of a long option that there is not, "--list" or "--cgroup=x": what comes near; may be empty.
std::string long_option_hint(const std::string& word);

// Of -x: an option of other systems' dtrace -G, how it edits the objects, which here are linked as
// they are.
bool is_of_linking(std::string_view option);

// A replay (-r) traces nothing, so all that asks for tracing is refused, also of options; empty:
// nothing does. `is_asked`: something else of the line asks for it.
std::string why_not_replayed(const dtrace::Options& options, bool is_asked);

}  // namespace dt::cli

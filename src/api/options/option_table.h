#pragma once
// Options set and read by their names. The table itself is options.def.

#include <string>
#include <string_view>

#include "api/options/options.h"
#include "support/result.h"

namespace dt::api {

// Sets one option from text; "" is a flag without a value. Errors are DTrace's:
// "Invalid option name", "Invalid value for specified option", and ours for
// what is known and not supported. A misspelt name has the near one as remedy.
Status set_option(Options& options, std::string_view name, std::string_view value);

// The same for #pragma D option: not what must be known before the program is read.
Status set_pragma_option(Options& options, std::string_view name, std::string_view value);

// The same for setopt(), while tracing: the dynamic options only.
Status set_dynamic_option(Options& options, std::string_view name, std::string_view value);

// What dtrace::Options::flag() and get() give.
bool option_flag(const Options& options, std::string_view name);
std::string option_text(const Options& options, std::string_view name);

// The first, by name, of the options that were given but that a replay does not use; "" if there is
// none.
std::string unused_on_replay(const Options& options);

}  // namespace dt::api

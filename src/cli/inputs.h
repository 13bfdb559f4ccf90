#pragma once
// Scripts and command-line programs -> Sources.

#include <vector>

#include "cli/options.h"
#include "d/front_end.h"
#include "support/result.h"
#include "support/source.h"

namespace dt::cli {

// Reads every program of the command line ("-" and /dev/fd/N too), through cpp
// for scripts when -C is given. inputs[i] is programs[i].
Result<std::vector<d::Input>> load_inputs(const CommandLine& line, Sources& sources);

// The whole of a file; at most kMaxScriptBytes.
Result<std::string> read_file(const std::string& path);
constexpr std::size_t kMaxScriptBytes = 64UL << 20;

}  // namespace dt::cli

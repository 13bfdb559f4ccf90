#pragma once
// How large the maps of a live run are to be, and which of them are smaller than was asked for.

#include <string>
#include <vector>

#include "api/options/request.h"
#include "api/run/compile.h"
#include "runtime/sizes.h"
#include "support/result.h"

namespace dt::api {

// As the options ask, and as much as the memory of this process allows. Nothing is lowered but with
// bufresize=auto: without it, that is an error. Lowers what waits in memory of this process in
// `compiled.options`, and lists it there.
Result<runtime::Sizes> wanted_sizes(Compiled& compiled, const Request& request);

// Whether a memory cgroup leaves so little that symbols and stacks have to be limited, too.
bool is_tight(const runtime::Sizes& sizes);

// A message for each thing that is smaller than it was asked for; `notices` are those of the
// session.
std::vector<std::string> lowered_texts(const Options& options, const runtime::Sizes& sizes,
                                       const std::vector<std::string>& notices);

}  // namespace dt::api

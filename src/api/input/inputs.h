#pragma once
// Scripts and command-line programs -> Sources.

#include <vector>

#include "api/options/request.h"
#include "front/input.h"
#include "support/result.h"
#include "support/source.h"

namespace dt::api {

// Reads every program ("-" and /dev/fd/N too), through cpp with -x cpp. inputs[i]
// is programs[i].
Result<std::vector<front::Input>> load_inputs(const Request& request, Sources& sources);

}  // namespace dt::api

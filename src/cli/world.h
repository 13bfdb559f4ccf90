#pragma once
// What the D front-end may know of this run: macro variables and options.

#include <cstdint>
#include <optional>
#include <string_view>

#include "cli/options.h"
#include "d/front_end.h"

namespace dt::cli {

// $pid, $uid, ... ; `target` is the process of -c or -p.
std::optional<std::int64_t> macro_value(std::string_view name, std::optional<std::int64_t> target);

// `options` is changed by pragmas while `world` is in use.
d::World make_world(types::Catalog& types, const probe::Catalog& probes, const CommandLine& line,
                    Options& options, std::optional<std::int64_t> target);

}  // namespace dt::cli

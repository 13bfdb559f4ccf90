#pragma once
// What the D front-end may know of this run: macro variables and options.

#include <cstdint>
#include <optional>
#include <string_view>

#include "api/request.h"
#include "front/world.h"

namespace dt::api {

// $pid, $uid, ... ; `target` is the process of -c or -p.
std::optional<std::int64_t> macro_value(std::string_view name, std::optional<std::int64_t> target);

// What the options say of the language; again after each pragma that sets one.
void follow_options(front::World& world, const Options& options);

// `options` is changed by pragmas while `world` is in use.
front::World make_world(types::Catalog& types, const probe::Catalog& probes, const Request& request,
                        const Told& told, Options& options, std::optional<std::int64_t> target);

}  // namespace dt::api

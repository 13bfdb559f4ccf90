#pragma once
// What a front-end may know of this run, whatever its language.

#include "api/options/request.h"
#include "front/world.h"

namespace dt::api {

// What the options say of every language; again after a program has changed one.
void follow_options(front::World& world, const Options& options);

front::World make_world(types::Catalog& types, const probe::Catalog& probes, const Request& request,
                        const Options& options);

}  // namespace dt::api

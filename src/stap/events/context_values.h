#pragma once
// What a firing knows by itself.

#include <cstdint>
#include <optional>

#include "ir/function.h"
#include "stap/meaning/functions.h"

namespace dt::stap {

// What the kernel records of the function; nullopt: the probe itself says it.
std::optional<ir::Builtin> builtin_of(Fn fn);
// By how much the number is divided: of gettimeofday_us() 1000.
std::int64_t ns_of(Fn fn);

}  // namespace dt::stap

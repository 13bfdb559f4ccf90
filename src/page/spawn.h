#pragma once
// How the helpers of dtrace begin, which face the network: as processes without anything of the
// tracer's memory.

#include <span>
#include <string>

#include "support/result.h"

namespace dt::page {

// Descriptors of a helper, from this on, in the order in which they are given to become().
constexpr int kFirstDescriptor = 3;

// In the child, between fork and exec: `program` under the name `name`, with these descriptors (at
// most four) and standard error, and no others.
[[noreturn]] void become(const char* name, std::span<const int> descriptors, const char* program);

// `what` failed, as errno says.
Error refused(const std::string& what);

}  // namespace dt::page

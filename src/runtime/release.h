#pragma once
// What only a kernel's version can decide, because trying it would hang the
// machine or shows nothing.

#include <cstdint>
#include <string_view>

namespace dt::runtime {

// Whether a release ("6.1.0-13-amd64") comes before major.minor; one that is no
// number is taken as new.
bool is_before(std::string_view release, std::uint32_t major, std::uint32_t minor);

// Since 6.4 thread-local storage comes out of memory that is set aside; before,
// making it under the run queue's lock, as at sched's tracepoints, can deadlock.
bool makes_storage_anywhere(std::string_view release);

// Linux 7 (seen in 7.2) preempts threads in the programs of tracepoints; 6.18 does not.
bool preempts_programs(std::string_view release);

// Since 6.13 programs that use much of it have a stack of their own for each CPU.
bool has_private_stacks(std::string_view release);

}  // namespace dt::runtime

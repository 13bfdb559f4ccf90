#pragma once
// Descriptions of bcc and bpftrace, and what they are in D.

#include <string>
#include <string_view>

namespace dt::d {

// `sched`, `sched_switch`; `syscalls:sys_enter_openat` is a system call, and
// `raw_syscalls:sys_enter` all of them.
std::string tracepoint_in_d(std::string_view group, std::string_view name);

// A function of a program. `process` is `pid$target` or `pid*`; the library c is libc.
std::string function_in_d(std::string_view process, std::string_view library,
                          std::string_view function);

// bcc's "LIBRARY:FUNCTION" and "KIND:WHERE:WHAT"; empty: it is none of them. With `is_function`,
// without the name of a probe.
std::string bcc_in_d(std::string_view pattern, bool is_function);

}  // namespace dt::d

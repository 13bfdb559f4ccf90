#pragma once
// The kernel's tracepoints, for the providers that are made of them.

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "support/result.h"

namespace dt::provider {

struct Tracepoint {
  std::string subsystem;  // "sched"; "vmlinux" for one that has no trace event
  std::string name;       // "sched_switch"
  bool operator==(const Tracepoint&) const = default;
};

// What tracefs calls available_events, without what is no tracepoint of its
// own: the events of single system calls and of ftrace, and probes that
// somebody made at run time. In the order of subsystem and name.
std::vector<Tracepoint> parse_available_events(std::string_view text);

}  // namespace dt::provider

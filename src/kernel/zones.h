#pragma once
// The zones and control groups that there are. Zones: the names that zonename has in the processes
// of now (bpf/routine/zone.h says what those are).

#include <cstdint>
#include <optional>
#include <set>
#include <string>

namespace dt::kernel {

// The inode of our namespace of processes; 0 where that is the first one.
std::uint32_t own_process_space();

// "global" is always among them. nullopt from within a container: what is around it
// cannot be seen from there.
std::optional<std::set<std::string>> zones();

// The control groups (v2) that processes are in, and those around them: the names, which are the
// components of their paths.
std::set<std::string> cgroups();

// The names of those of cgroup v1 that processes are in, whose threads dtrace cannot distinguish.
std::set<std::string> old_cgroups();

// The last component of a cgroup's path; "" for the root.
std::string last_component(const std::string& path);

// The path of the root of a cgroup namespace, from the path of one cgroup as it is seen from
// outside the namespace and from within; nullopt if the cgroup is not in the namespace.
std::optional<std::string> namespace_root(const std::string& outside, const std::string& inside);

}  // namespace dt::kernel

#pragma once
// The zones and control groups that there are. Zones: the names that zonename has in the processes
// of now (bpf/routine/zone.h says what those are).

#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <string_view>

#include "kernel/containers.h"

namespace dt::kernel {

// The inode of our namespace of processes; 0 where that is the first one.
std::uint32_t own_process_space();

// A container without a control group of its own has no name. Its namespace of processes has one,
// as /proc/PID/ns/pid shows it: "pid:[4026532500]", which is understood instead of a zone's
// name.
std::string space_name(std::uint32_t inode);
// The inode in such a name; nullopt for other names, and for that of the first namespace, which is
// no container's.
std::optional<std::uint32_t> space_number(std::string_view name);
// The inode of the namespace of a process: nullopt if there is none, 0 for the first namespace.
std::optional<std::uint32_t> process_space(std::int32_t pid);
bool is_space_alive(std::uint32_t inode);

// The zones that have this host name, or a control group of version 1 or 2 with one of these
// numbers of containers (containers.h): their names, or those of their namespaces. Host "": only by
// the numbers.
std::set<std::string> zones_of(const std::string& host, const std::set<std::string>& numbers);

// "global" is always among them. nullopt from within a container: what is around it
// cannot be seen from there.
std::optional<std::set<std::string>> zones();

// The control groups (v2) that processes are in, and those around them: the names, which are the
// components of their paths.
std::set<std::string> cgroups();

// The last component of a process's path; nullopt if there is no such process, "" for the root.
std::optional<std::string> cgroup_of_process(std::int32_t pid);

// Those of the control groups that have the number of a container in their name and a process in
// them. Of a group whose owner is not known, root.
ContainerOwners container_owners();

// The names of those of cgroup v1 that processes are in, whose threads dtrace cannot distinguish.
std::set<std::string> old_cgroups();

// The last component of a cgroup's path; "" for the root.
std::string last_component(const std::string& path);

// The path of the root of a cgroup namespace, from the path of one cgroup as it is seen from
// outside the namespace and from within; nullopt if the cgroup is not in the namespace.
std::optional<std::string> namespace_root(const std::string& outside, const std::string& inside);

}  // namespace dt::kernel

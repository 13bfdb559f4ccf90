#pragma once
// The zone of -x zone: what fires in threads of other zones leaves, once for a
// program and before anything else is looked at.
//
// A thread's zone is what D's zonename says: "global" for a process in the first pid
// namespace. For others, which are in a container, it is the last component of the
// container's cgroup: the root of the cgroup namespace or, where that is the whole
// tree's, the process's own.
//
//   task -> pid -> level                                0: global
//   task -> nsproxy -> cgroup_ns -> css_set -> cgroup -> kernfs_node -> name
//   task ----------------------------> css_set -> ...   where that name is empty
//
// A container without a cgroup of its own is known by its namespace of processes: the one that the
// thread itself is in, where it has the last of its numbers.
//
//   task -> pid -> numbers[level] -> pid_namespace -> inode
//
// nsproxy does not tell it: its pid_ns_for_children is that of children to come, which is another
// one in a thread that has called unshare(CLONE_NEWPID), and a thread that exits has no nsproxy any
// more. A thread that has been waited for has no pid either, and is in no such container.

#include <cstdint>

#include "bpf/asm/emitter.h"

namespace dt::bpf {

struct Zone;

// `task`: a pointer to the thread, whose type the verifier knows.
void leave_other_zones(Emitter& e, const Zone& zone, Reg task, Label leave);

}  // namespace dt::bpf

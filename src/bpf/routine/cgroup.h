#pragma once
// The control group of -x cgroup: what fires in threads of other groups leaves, once for a program
// and before anything else is looked at.
//
// A thread is in one group of the tree of cgroup v2, and so in all groups around it. The wanted one
// has a name, which is the last component of its path, so a service that is started again, with a
// group of its own each time, is the same.
//
//   task -> css_set -> cgroup -> kernfs_node -> name
//                        | parent, until the root, which has none
//                        v
//                      cgroup -> kernfs_node -> name

#include "bpf/asm/emitter.h"

namespace dt::bpf {

struct Cgroup;

// `task`: a pointer to the thread, whose type the verifier knows.
void leave_other_cgroups(Emitter& e, const Cgroup& cgroup, Reg task, Label leave);

}  // namespace dt::bpf

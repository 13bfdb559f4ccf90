#pragma once
// Machine: what is fixed about the kernel and the computer before code is made: where
// members of the kernel's structures are, and which features and functions there are.

#include <cstdint>
#include <string>

#include "bpf/asm/target.h"

namespace dt::types {
class Catalog;
}

namespace dt::bpf {

// The offsets of the members that lead from a struct path to its text.
struct PathOffsets {
  std::int32_t path_mnt = -1, path_dentry = -1;
  std::int32_t task_fs = -1, fs_root_mnt = -1, fs_root_dentry = -1;
  std::int32_t dentry_parent = -1, dentry_name = -1, dentry_length = -1, dentry_pprev = -1;
  std::int32_t dentry_op = -1, dentry_sb = -1, dentry_inode = -1;
  std::int32_t op_dname = -1, sb_type = -1, type_name = -1, inode_number = -1;
  std::int32_t mnt_root = -1, mount_mnt = -1, mount_parent = -1, mount_mountpoint = -1;
  bool operator==(const PathOffsets&) const = default;
  bool are_known() const;  // all of them
};

// The offsets of the members that lead to the code that a process has mapped.
struct UnwindOffsets {
  std::int32_t task_mm = -1, task_utask = -1;
  // What tells whether a process still has the mappings that it had: its start, how
  // often it has executed a program, and what grows with each change (from 6.4 on).
  std::int32_t task_leader = -1, task_start = -1, task_execs = -1, mm_sequence = -1;
  std::int32_t mm_root = -1, mm_vdso = -1, mm_trampoline = -1;  // mm_mt.ma_root
  std::int32_t range_slot = -1, arange_slot = -1;               // in maple nodes
  std::int32_t vma_begin = -1, vma_end = -1, vma_flags = -1, vma_page = -1, vma_file = -1;
  std::int32_t file_inode = -1;
  std::int32_t inode_sb = -1, inode_number = -1, inode_size = -1, inode_changed = -1;
  std::int32_t inode_changed_ns = -1;
  std::int32_t sb_device = -1;
  std::int32_t utask_returns = -1, return_address = -1, return_stack = -1, return_next = -1;
  std::int32_t trampoline_address = -1;  // in xol_area
  std::int32_t utask_place = -1;  // of the breakpoint whose instruction is carried out elsewhere
  std::int32_t task_thread_base = -1;  // what fs:0 is
  bool with_sources = false;           // jstack() is used, and it is known: python.h
  bool operator==(const UnwindOffsets&) const = default;
  bool are_known() const;  // all that must be
  bool tell_changes() const {
    return task_leader >= 0 && task_start >= 0 && task_execs >= 0 && mm_sequence >= 0;
  }
};

// With which any memory of the kernel is read by plain loads: bpf_rdonly_cast to a
// struct maple_range_64, which is nothing but words. At an address that is none such a
// load gives 0. See word_load.h.
struct Words {
  std::uint32_t cast = 0, type = 0;  // BTF numbers
  bool are_known() const { return cast != 0 && type != 0; }
};

// The numbers of threads and processes are in their tasks, for those who are in the first
// namespace of processes. For others:
//   task -> pid -> entry of its namespace, or of one that this is within -> number
struct NumberOffsets {
  std::uint32_t space = 0;  // the inode of our namespace; 0: the first one
  std::int32_t task_leader = -1, task_pid = -1;
  std::int32_t pid_level = -1, pid_numbers = -1, entry_bytes = -1;
  std::int32_t entry_number = -1, entry_space = -1, space_inode = -1;
  bool operator==(const NumberOffsets&) const = default;
  bool are_known() const;  // all of them
};

// What -x zone asks of every program: see zone.h.
constexpr const char* kGlobalZone = "global";
struct Zone {
  std::string name;
  // The inode of the namespace of processes, of a container that is known by it; 0: by the name.
  std::uint32_t space = 0;
  std::int32_t task_pid = -1, pid_level = -1;
  std::int32_t task_spaces = -1, spaces_cgroup = -1, space_css_set = -1;
  std::int32_t task_css_set = -1, css_set_cgroup = -1, cgroup_node = -1, node_name = -1;
  // Where it is known by the namespace: as in NumberOffsets.
  std::int32_t pid_numbers = -1, entry_bytes = -1, entry_space = -1, space_inode = -1;
  std::uint32_t task_cast = 0, task_type = 0;  // as Machine::task_cast
  Words words;
  bool is_known() const;  // where all are by which it is known
};

// What -x cgroup asks of every program: see cgroup.h.
struct Cgroup {
  std::string name;
  std::int32_t task_css_set = -1, css_set_cgroup = -1, cgroup_node = -1, node_name = -1;
  std::int32_t cgroup_parent = -1;  // its state's parent, which is the state of another
  std::int32_t state_cgroup = -1;
  std::uint32_t task_cast = 0, task_type = 0;  // as Machine::task_cast
  Words words;
  bool is_known() const;  // where all of these are
};

// What is fixed about the machine before code is made.
struct Machine {
  std::uint32_t cpus = 1;  // possible CPUs
  // Byte offsets in struct task_struct, -1 when BTF could not tell (then the
  // generated code uses a BPF helper, or refuses).
  std::int32_t task_comm = -1, task_tgid = -1, task_pid = -1, task_real_parent = -1;
  std::int32_t task_start_time = -1;
  NumberOffsets number;
  std::int32_t task_status = -1;  // thread_info.status (TS_COMPAT)
  // What follows is known where the program needs it.
  std::int32_t task_mm = -1;
  std::int32_t task_cred = -1, cred_uid = -1, cred_gid = -1;
  std::int32_t mm_arg_start = -1, mm_arg_end = -1;  // in struct mm_struct
  PathOffsets path;
  UnwindOffsets unwind;
  // Functions of the kernel that programs call, by their BTF numbers; 0 = not there,
  // or not wanted. What task_cast (bpf_rdonly_cast) gives of the current task and
  // task_type is followed without asking, load by load, what can be trusted: for each
  // answer 6.18's verifier searches all types of the kernel.
  std::uint32_t task_cast = 0, task_type = 0;
  Words words;
  // Programs that the kernel may preempt say that it may not.
  std::uint32_t preempt_disable = 0, preempt_enable = 0;
  std::uint32_t irq_save = 0, irq_restore = 0;
  // Programs may have a stack for each CPU, see keep_stack_of_thread().
  bool has_private_stacks = false;
  // With which programs that may wait say where they do not (user_memory.h).
  std::uint32_t rcu_lock = 0, rcu_unlock = 0;
  // Kernel features, found by trying (kernel/features.h).
  Target target;
  std::string no_write_user = {};  // why bpf_probe_write_user is not available; "": it is
  // The kernel's, where programs may follow pointers by plain loads; outlives
  // what is generated.
  const types::Catalog* types = nullptr;
};

}  // namespace dt::bpf

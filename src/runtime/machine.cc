// See machine.h.

#include "runtime/machine.h"

#include <fmt/core.h>

#include <algorithm>

#include "bpf/asm/emitter.h"
#include "bpf/asm/reg.h"
#include "bpf/layout/machine.h"
#include "ir/ir.h"
#include "ir/op_info.h"
#include "kernel/features.h"
#include "kernel/zones.h"
#include "runtime/release.h"
#include "types/place.h"
#include "types/type.h"

namespace dt::runtime {
namespace {

// Where a member is, or -1 where this kernel has it not.
// Code that needs a member which is absent is not generated, or refused with a reason.
std::int32_t place(const types::Catalog& types, std::string_view structure, std::string_view path) {
  return types::offset_or_none(types, structure, path);
}

std::uint32_t structure_number(const types::Catalog& types, std::string_view name) {
  return types.number(types::Tag::kStruct, name, types::kKernelModule);
}

// 0 where this kernel has no such function for programs (kfunc).
std::uint32_t function_number(const types::Catalog& types, std::string_view name) {
  return types.function_number(name, types::kKernelModule);
}

constexpr std::string_view kCast = "bpf_rdonly_cast";

// By what words of the kernel's memory are read (bpf/layout/word_load.h).
bpf::Words find_words(const types::Catalog& types) {
  bpf::Words words;
  words.cast = function_number(types, kCast);
  words.type = structure_number(types, "maple_range_64");
  return words;
}

void find_task_members(const types::Catalog& types, bpf::Machine& machine) {
  machine.task_comm = place(types, "task_struct", "comm");
  machine.task_tgid = place(types, "task_struct", "tgid");
  machine.task_pid = place(types, "task_struct", "pid");
  machine.task_real_parent = place(types, "task_struct", "real_parent");
  machine.task_start_time = place(types, "task_struct", "start_time");
  // x86 keeps the flags of a 32-bit system call there.
  machine.task_status = place(types, "task_struct", "thread_info.status");
}

// A path in the kernel is a pair of a mount and a dentry. A dentry has its name and its parent; at
// the root of a mount, the way goes on at the mount's place (mnt_mountpoint) in the parent mount.
// `vfsmount` is a member in the middle of `mount`, so its offset (mount_mnt) is subtracted to get
// from one to the other.
bpf::PathOffsets path_offsets(const types::Catalog& types) {
  bpf::PathOffsets at;
  at.path_mnt = place(types, "path", "mnt");
  at.path_dentry = place(types, "path", "dentry");
  at.task_fs = place(types, "task_struct", "fs");
  at.fs_root_mnt = place(types, "fs_struct", "root.mnt");
  at.fs_root_dentry = place(types, "fs_struct", "root.dentry");
  at.dentry_parent = place(types, "dentry", "d_parent");
  at.dentry_name = place(types, "dentry", "d_name.name");
  at.dentry_length = place(types, "dentry", "d_name.len");
  at.dentry_pprev = place(types, "dentry", "d_hash.pprev");
  at.dentry_op = place(types, "dentry", "d_op");
  at.dentry_sb = place(types, "dentry", "d_sb");
  at.dentry_inode = place(types, "dentry", "d_inode");
  at.op_dname = place(types, "dentry_operations", "d_dname");
  at.sb_type = place(types, "super_block", "s_type");
  at.type_name = place(types, "file_system_type", "name");
  at.inode_number = place(types, "inode", "i_ino");
  at.mnt_root = place(types, "vfsmount", "mnt_root");
  at.mount_mnt = place(types, "mount", "mnt");
  at.mount_parent = place(types, "mount", "mnt_parent");
  at.mount_mountpoint = place(types, "mount", "mnt_mountpoint");
  return at;
}

// Members have moved between kernels: each is found by its name, and where a name has changed, the
// older one is tried behind the newer one.
bpf::UnwindOffsets unwind_offsets(const types::Catalog& types) {
  bpf::UnwindOffsets at;
  at.task_mm = place(types, "task_struct", "mm");
  at.task_utask = place(types, "task_struct", "utask");
  at.task_leader = place(types, "task_struct", "group_leader");
  at.task_start = place(types, "task_struct", "start_time");
  at.task_execs = place(types, "task_struct", "self_exec_id");
  at.task_thread_base = place(types, "task_struct", "thread.fsbase");
  at.mm_sequence = place(types, "mm_struct", "mm_lock_seq.sequence");
  if (at.mm_sequence < 0) {  // before 6.13
    at.mm_sequence = place(types, "mm_struct", "mm_lock_seq");
  }
  at.mm_root = place(types, "mm_struct", "mm_mt.ma_root");
  at.mm_vdso = place(types, "mm_struct", "context.vdso");
  at.mm_trampoline = place(types, "mm_struct", "uprobes_state.xol_area");
  at.range_slot = place(types, "maple_range_64", "slot");
  at.arange_slot = place(types, "maple_arange_64", "slot");
  at.vma_begin = place(types, "vm_area_struct", "vm_start");
  at.vma_end = place(types, "vm_area_struct", "vm_end");
  at.vma_flags = place(types, "vm_area_struct", "vm_flags");
  at.vma_page = place(types, "vm_area_struct", "vm_pgoff");
  at.vma_file = place(types, "vm_area_struct", "vm_file");
  at.file_inode = place(types, "file", "f_inode");
  at.inode_sb = place(types, "inode", "i_sb");
  at.inode_number = place(types, "inode", "i_ino");
  at.inode_size = place(types, "inode", "i_size");
  at.inode_changed = place(types, "inode", "i_ctime_sec");
  at.inode_changed_ns = place(types, "inode", "i_ctime_nsec");
  if (at.inode_changed < 0) {  // before 6.11
    for (const std::string name : {"__i_ctime", "i_ctime"}) {
      at.inode_changed = std::max(at.inode_changed, place(types, "inode", name + ".tv_sec"));
      at.inode_changed_ns = std::max(at.inode_changed_ns, place(types, "inode", name + ".tv_nsec"));
    }
  }
  at.sb_device = place(types, "super_block", "s_dev");
  at.utask_place = place(types, "uprobe_task", "vaddr");
  at.trampoline_address = place(types, "xol_area", "vaddr");
  at.utask_returns = place(types, "uprobe_task", "return_instances");
  at.return_address = place(types, "return_instance", "orig_ret_vaddr");
  at.return_next = place(types, "return_instance", "next");
  at.return_stack = place(types, "return_instance", "stack");
  if (std::min({at.task_utask, at.mm_trampoline, at.trampoline_address, at.utask_returns,
                at.return_address, at.return_next}) < 0) {
    at.return_stack = -1;
  }
  return at;
}

template <typename Wanted>
bool has_inst(const ir::Program& program, Wanted wanted) {
  for (const ir::EcbDesc& clause : program.clauses) {
    for (const ir::Block& block : clause.body.blocks) {
      if (std::any_of(block.insts.begin(), block.insts.end(), wanted)) {
        return true;
      }
    }
  }
  return false;
}

bool makes_path(const ir::Inst& inst) {
  return inst.op == ir::Op::kPath || inst.op == ir::Op::kPathText;
}

// Where pointers of the current thread may be followed.
void find_task_cast(const types::Catalog& types, const ir::Program& program,
                    bpf::Machine& machine) {
  constexpr std::uint32_t kPointerBytes = 8;
  const bool has_task = has_inst(program, [](const ir::Inst& inst) {
    return makes_path(inst) ||
           (inst.op == ir::Op::kBuiltin &&
            (inst.builtin == ir::Builtin::kCurthread || inst.builtin == ir::Builtin::kExecargs));
  });
  const bool has_pointer = has_inst(program, [](const ir::Inst& inst) {
    return makes_path(inst) ||
           (inst.op == ir::Op::kBuiltin && inst.builtin == ir::Builtin::kExecargs) ||
           (inst.op == ir::Op::kLoadKernel && inst.type.size == kPointerBytes);
  });
  if (!has_task || !has_pointer) return;
  machine.task_type = structure_number(types, "task_struct");
  if (machine.task_type == 0) return;
  machine.task_cast = function_number(types, kCast);
}

// Where the numbers are that threads and processes have in our namespace of processes: in a
// container, the script's `pid` must be the number there. struct pid has an array of numbers, one
// for each nested namespace, from the first one down to its own: numbers[level].
bpf::NumberOffsets number_offsets(const types::Catalog* known) {
  bpf::NumberOffsets at;
  at.space = kernel::own_process_space();
  if (at.space == 0 || known == nullptr) return at;
  const types::Catalog& types = *known;
  at.task_leader = place(types, "task_struct", "group_leader");
  at.task_pid = place(types, "task_struct", "thread_pid");
  at.pid_level = place(types, "pid", "level");
  at.pid_numbers = place(types, "pid", "numbers");
  at.entry_number = place(types, "upid", "nr");
  at.entry_space = place(types, "upid", "ns");
  at.space_inode = place(types, "pid_namespace", "ns.inum");
  if (const auto entry = types::find_structure(types, "upid"); entry.ok()) {
    at.entry_bytes = static_cast<std::int32_t>(types.size_of(*entry));
  }
  return at;
}

bool unwinds(const ir::Program& program) {
  return has_inst(program, [](const ir::Inst& inst) {
    return inst.op == ir::Op::kUstack || inst.op == ir::Op::kJstack ||
           (inst.op == ir::Op::kBuiltin &&
            (inst.builtin == ir::Builtin::kUcaller || inst.builtin == ir::Builtin::kUstackdepth));
  });
}

bool names_sources(const ir::Program& program) {
  return has_inst(program, [](const ir::Inst& inst) { return inst.op == ir::Op::kJstack; });
}

bool loads_words(const ir::Program& program) {
  return has_inst(program,
                  [](const ir::Inst& inst) { return has_trait(inst.op, ir::OpInfo::kLoadsWord); });
}

// Where programs may wait for user memory.
// A sleepable program is not in an RCU read section by itself: without one, memory that it reads
// could be freed in the middle. It leaves the section only while it waits for user memory.
void find_sections(const types::Catalog& types, bpf::Machine& machine) {
  machine.rcu_lock = function_number(types, "bpf_rcu_read_lock");
  machine.rcu_unlock = function_number(types, "bpf_rcu_read_unlock");
  if (machine.rcu_unlock == 0) machine.rcu_lock = 0;
}

// A tracing program can be preempted by another thread on its CPU in these kernels, and a second
// firing would find the first one's frame taken. Kernel functions (kfuncs) allow a program to
// forbid that.
void find_preemption(kernel::Kernel& kernel, const types::Catalog& types, bpf::Machine& machine) {
  if (!preempts_programs(kernel.release())) return;
  machine.preempt_disable = function_number(types, "bpf_preempt_disable");
  machine.preempt_enable = function_number(types, "bpf_preempt_enable");
  machine.irq_save = function_number(types, "bpf_local_irq_save");
  machine.irq_restore = function_number(types, "bpf_local_irq_restore");
  if (machine.preempt_enable == 0) machine.preempt_disable = 0;
  if (machine.irq_restore == 0) machine.irq_save = 0;
}

}  // namespace

void expect_needs(const types::Catalog& types) {
  types.expect_function(kCast, types::kKernelModule);
}

void describe_needs(kernel::Kernel& kernel, const types::Catalog& types, const ir::Program& program,
                    const PrologueNeeds& needs, bpf::Machine& machine) {
  machine.types = &types;
  if (needs.may_wait) find_sections(types, machine);
  find_task_cast(types, program, machine);
  if (unwinds(program)) machine.unwind = unwind_offsets(types);
  machine.unwind.with_sources = names_sources(program) && machine.unwind.task_thread_base >= 0;
  if (needs.reads_kernel || unwinds(program) || loads_words(program)) {
    machine.words = find_words(types);
  }
  if (has_inst(program, makes_path)) {
    machine.path = path_offsets(types);
  }
  if (has_inst(program, [](const ir::Inst& inst) {
        return inst.op == ir::Op::kCopyout || inst.op == ir::Op::kCopyoutString;
      })) {
    const Status status = kernel::try_feature(kernel, kernel::Feature::kWriteUser);
    machine.no_write_user = status.ok() ? "" : status.error().text;
  }
  if (has_inst(program, [](const ir::Inst& inst) {
        return inst.op == ir::Op::kBuiltin &&
               (inst.builtin == ir::Builtin::kUid || inst.builtin == ir::Builtin::kGid);
      })) {
    machine.task_cred = place(types, "task_struct", "cred");
    machine.cred_uid = place(types, "cred", "uid");
    machine.cred_gid = place(types, "cred", "gid");
  }
  if (program.arguments != ir::kNone || has_inst(program, [](const ir::Inst& inst) {
        return inst.op == ir::Op::kBuiltin && inst.builtin == ir::Builtin::kExecargs;
      })) {
    machine.task_mm = place(types, "task_struct", "mm");
    machine.mm_arg_start = place(types, "mm_struct", "arg_start");
    machine.mm_arg_end = place(types, "mm_struct", "arg_end");
  }
}

namespace {

struct Member {
  std::int32_t& at;
  const char* structure;
  const char* name;
};

// `subject`: what the kernel does not tell where it lacks one of them.
Status find_members(const types::Catalog& types, std::initializer_list<Member> members,
                    const char* subject) {
  for (const Member& member : members) {
    Result<types::Place> place = types::find_place(types, member.structure, member.name);
    if (!place.ok()) {
      return std::move(place.error())
          .with(fmt::format("this kernel does not tell which {} a thread is in", subject));
    }
    member.at = static_cast<std::int32_t>(place->offset);
  }
  return {};
}

}  // namespace

Result<bpf::Zone> find_zone(const types::Catalog& types, std::string_view name) {
  bpf::Zone zone;
  zone.name = name;
  zone.space = kernel::space_number(name).value_or(0);
  zone.task_type = structure_number(types, "task_struct");
  if (zone.task_type != 0) zone.task_cast = function_number(types, kCast);
  if (zone.space != 0) {
    DT_TRY(find_members(types,
                        {{zone.task_pid, "task_struct", "thread_pid"},
                         {zone.pid_level, "pid", "level"},
                         {zone.pid_numbers, "pid", "numbers"},
                         {zone.entry_space, "upid", "ns"},
                         {zone.space_inode, "pid_namespace", "ns.inum"}},
                        "container"));
    DT_ASSIGN(const auto entry, types::find_structure(types, "upid"));
    zone.entry_bytes = static_cast<std::int32_t>(types.size_of(entry));
    zone.words = find_words(types);
    return zone;
  }
  DT_TRY(find_members(types,
                      {{zone.task_pid, "task_struct", "thread_pid"},
                       {zone.pid_level, "pid", "level"},
                       {zone.task_spaces, "task_struct", "nsproxy"},
                       {zone.spaces_cgroup, "nsproxy", "cgroup_ns"},
                       {zone.space_css_set, "cgroup_namespace", "root_cset"},
                       {zone.task_css_set, "task_struct", "cgroups"},
                       {zone.css_set_cgroup, "css_set", "dfl_cgrp"},
                       {zone.cgroup_node, "cgroup", "kn"},
                       {zone.node_name, "kernfs_node", "name"}},
                      "container"));
  return zone;
}

Result<bpf::Cgroup> find_cgroup(const types::Catalog& types, std::string_view name) {
  bpf::Cgroup cgroup;
  cgroup.name = name;
  DT_TRY(find_members(types,
                      {{cgroup.task_css_set, "task_struct", "cgroups"},
                       {cgroup.css_set_cgroup, "css_set", "dfl_cgrp"},
                       {cgroup.cgroup_node, "cgroup", "kn"},
                       {cgroup.node_name, "kernfs_node", "name"},
                       {cgroup.cgroup_parent, "cgroup", "self.parent"},
                       {cgroup.state_cgroup, "cgroup_subsys_state", "cgroup"}},
                      "cgroup"));
  cgroup.task_type = structure_number(types, "task_struct");
  cgroup.words = find_words(types);
  if (cgroup.task_type != 0) cgroup.task_cast = cgroup.words.cast;
  return cgroup;
}

bpf::Machine describe_machine(kernel::Kernel& kernel, const types::Catalog* types) {
  bpf::Machine machine;
  machine.cpus = kernel.possible_cpus();
  machine.number = number_offsets(types);
  machine.target.has_cpu_v4 = kernel::try_feature(kernel, kernel::Feature::kCpuV4).ok();
  machine.has_private_stacks = has_private_stacks(kernel.release());
  if (types != nullptr) {
    find_task_members(*types, machine);
    find_preemption(kernel, *types, machine);
  }
  return machine;
}

}  // namespace dt::runtime

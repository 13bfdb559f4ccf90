#include "d/meaning/kernel_member.h"

namespace dt::d {

namespace {

constexpr KernelMember kMutexMembers[] = {{"mutex", "owner"}};
constexpr KernelMember kSemaphoreMembers[] = {{"rw_semaphore", "count"}};
constexpr KernelMember kFileMembers[] = {
    {"task_struct", "files"}, {"files_struct", "fdt"}, {"fdtable", "max_fds"}, {"fdtable", "fd"}};
constexpr KernelMember kNumberMembers[] = {
    {"task_struct", "pid"},        {"task_struct", "tgid"}, {"task_struct", "group_leader"},
    {"task_struct", "thread_pid"}, {"pid", "numbers"},      {"upid", "nr"}};
constexpr KernelMember kArgumentsMembers[] = {
    {"task_struct", "tgid"}, {"task_struct", "group_leader"}, {"task_struct", "comm"}};
constexpr KernelMember kPacketMembers[] = {
    {"sk_buff", "data"}, {"sk_buff", "len"}, {"sk_buff", "data_len"}};
constexpr KernelMember kZoneMembers[] = {{"task_struct", "thread_pid"},
                                         {"pid", "level"},
                                         {"task_struct", "nsproxy"},
                                         {"nsproxy", "cgroup_ns"},
                                         {"cgroup_namespace", "root_cset"},
                                         {"task_struct", "cgroups"},
                                         {"css_set", "dfl_cgrp"},
                                         {"cgroup", "kn"},
                                         {"kernfs_node", "name"}};

}  // namespace

std::span<const KernelMember> kernel_members(Fn fn) {
  switch (fn) {
    case Fn::kMutexOwned:
    case Fn::kMutexOwner:
      return kMutexMembers;
    case Fn::kRwIswriter:
    case Fn::kRwReadHeld:
    case Fn::kRwWriteHeld:
      return kSemaphoreMembers;
    case Fn::kGetf:
      return kFileMembers;
    case Fn::kPidVnr:
    case Fn::kTaskPidVnr:
    case Fn::kTaskTgidVnr:
      return kNumberMembers;
    case Fn::kTaskPsargs:
      return kArgumentsMembers;
    default:
      return {};
  }
}

std::span<const KernelMember> packet_members() { return kPacketMembers; }

std::span<const KernelMember> kernel_members(Derived variable) {
  if (variable == Derived::kZonename) {
    return kZoneMembers;
  }
  return {};
}

std::string_view foreign_subject(Fn fn) {
  switch (fn) {
    case Fn::kMsgsize:
    case Fn::kMsgdsize:
      return "it is about STREAMS messages, which this kernel does not have";
    case Fn::kDdiPathname:
      return "it is about the device tree of another kernel";
    default:
      return {};
  }
}

bool is_register_array(std::string_view name) {
  return name == "uregs" || name == "regs" || name == "vmregs";
}

}  // namespace dt::d

// See machine.h.

#include "runtime/machine.h"

#include "kernel/features.h"

namespace dt::runtime {
namespace {

// Byte offset of a member, or -1: absent, or a bit-field.
std::int32_t offset_of(const types::Catalog& types, types::TypeId aggregate,
                       std::string_view member) {
  const auto found = types.member(aggregate, member);
  if (!found.has_value() || found->bit_size != 0) {
    return -1;
  }
  return static_cast<std::int32_t>(found->bit_offset / 8);
}

void find_task_members(const types::Catalog& types, bpf::Machine& machine) {
  const auto task = types.find(types::Tag::kStruct, "task_struct");
  if (!task.has_value()) {
    return;
  }
  machine.task_comm = offset_of(types, *task, "comm");
  machine.task_tgid = offset_of(types, *task, "tgid");
  machine.task_pid = offset_of(types, *task, "pid");
  machine.task_real_parent = offset_of(types, *task, "real_parent");
  machine.task_start_time = offset_of(types, *task, "start_time");
  // x86 keeps the flags of a 32-bit system call in task->thread_info.status.
  const auto info = types.member(*task, "thread_info");
  if (info.has_value()) {
    const std::int32_t status = offset_of(types, info->type, "status");
    if (status >= 0) {
      machine.task_status = static_cast<std::int32_t>(info->bit_offset / 8) + status;
    }
  }
}

}  // namespace

bpf::Machine describe_machine(kernel::Kernel& kernel, const types::Catalog* types) {
  bpf::Machine machine;
  machine.cpus = kernel.possible_cpus();
  machine.has_cpu_v4 = kernel::try_feature(kernel, kernel::Feature::kCpuV4).ok();
  if (types != nullptr) {
    find_task_members(*types, machine);
  }
  return machine;
}

}  // namespace dt::runtime

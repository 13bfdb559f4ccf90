// See current_process.h.

#include "bpf/layout/current_process.h"

#include <linux/bpf.h>
#include <sys/stat.h>

namespace dt::bpf {

Reg current_process(Emitter& e, const Machine& machine) {
  if (machine.number.space == 0) {
    const Reg number = e.call(BPF_FUNC_get_current_pid_tgid, {});
    e.alu_imm(Alu::kRsh, number, 32);
    return number;
  }
  // struct bpf_pidns_info { u32 pid, tgid; }
  constexpr std::int32_t kBytes = 8, kProcess = 4;
  struct stat space {};
  ::stat("/proc/self/ns/pid", &space);
  const StackSlot slot = e.stack(kBytes);
  e.store_imm(8, e.stack_address(slot), 0, 0);
  e.call_void(BPF_FUNC_get_ns_current_pid_tgid,
              {e.imm(static_cast<std::int64_t>(space.st_dev)), e.imm(machine.number.space),
               e.stack_address(slot), e.imm(kBytes)});
  return e.load(4, e.stack_address(slot), kProcess);
}

}  // namespace dt::bpf

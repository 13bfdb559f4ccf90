#include "bpf/program/vtime_switch.h"

#include <utility>

#include "bpf/asm/emitter.h"
#include "bpf/asm/encode.h"
#include "bpf/layout/drop.h"
#include "bpf/layout/memory.h"

namespace dt::bpf {

Result<Object> generate_vtime_switch(const Memory& memory) {
  Emitter e;
  const Label out = e.label();
  const Reg block = cpu_block(e, memory, out);
  const auto misc = static_cast<std::int32_t>(memory.misc_offset);
  const Reg now = e.call(BPF_FUNC_ktime_get_ns, {});
  const Reg since = e.load(8, block, misc);
  e.store(8, block, misc, now);
  e.jump_if_imm(Cond::kEq, since, 0, out);
  // The current task is still the one that leaves. Its storage is made by the
  // first clause that reads vtimestamp, never here: the run queue's lock is
  // held, and an allocation under it hangs 6.1 kernels.
  const Reg task = e.call(BPF_FUNC_get_current_task_btf, {});
  const Reg storage =
      e.call(BPF_FUNC_task_storage_get, {e.map({MapKind::kTls, 0}), task, e.imm(0), e.imm(0)});
  e.jump_if_imm(Cond::kEq, storage, 0, out);
  e.alu(Alu::kSub, now, since);
  e.atomic(Atomic::kAdd, 8, storage, static_cast<std::int32_t>(memory.tls_vtime_offset), now);
  e.bind(out);
  e.exit(0);
  DT_ASSIGN(Assembly assembly, assemble(e, memory.machine.target));
  assembly.object.program = "vtime:switch";
  return std::move(assembly.object);
}

}  // namespace dt::bpf

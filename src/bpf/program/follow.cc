// See follow.h.

#include "bpf/program/follow.h"

#include <linux/bpf.h>

#include "bpf/asm/encode.h"
#include "bpf/layout/current_process.h"
#include "bpf/layout/drop.h"
#include "bpf/program/faults.h"

namespace dt::bpf {
namespace {

constexpr MapRef kMarks = {MapKind::kFollowed, 0};

}  // namespace

// A mark on a task says from which process of -p or -c it descends. The first processes have none:
// they are compared by number.
void leave_unless_descends(Emitter& e, const Machine& machine, Reg root, Label leave) {
  const Label has_no_mark = e.label(), descends = e.label();
  const Reg task = e.call(BPF_FUNC_get_current_task_btf, {});
  const Reg mark = e.call(BPF_FUNC_task_storage_get, {e.map(kMarks), task, e.imm(0), e.imm(0)});
  e.jump_if_imm(Cond::kEq, mark, 0, has_no_mark);
  e.jump_if(Cond::kEq, e.load(8, mark, 0), root, descends);
  e.jump(leave);
  e.bind(has_no_mark);
  e.jump_if(Cond::kNe, current_process(e, machine), root, leave);
  e.bind(descends);
}

// The program of sched_process_fork, whose arguments are the parent's task and the child's. The
// child has not run yet, so it is marked before its first probe can fire.
Result<Object> generate_follow(const Memory& memory, const std::vector<std::int32_t>& roots) {
  Emitter e;
  const Label out = e.label(), known = e.label(), unmarked = e.label(), full = e.label();
  const Reg parent = e.load(8, e.context(), 0), child = e.load(8, e.context(), 8);
  const Reg root = e.imm(0);
  const Reg mark = e.call(BPF_FUNC_task_storage_get, {e.map(kMarks), parent, e.imm(0), e.imm(0)});
  e.jump_if_imm(Cond::kEq, mark, 0, unmarked);
  e.load_to(root, 8, mark, 0);
  e.jump(known);
  e.bind(unmarked);
  e.mov(root, current_process(e, memory.machine));  // who forks is who runs
  for (const std::int32_t one : roots) e.jump_if_imm(Cond::kEq, root, one, known);
  e.jump(out);
  e.bind(known);
  const Reg made = e.call(BPF_FUNC_task_storage_get,
                          {e.map(kMarks), child, e.imm(0), e.imm(BPF_LOCAL_STORAGE_GET_F_CREATE)});
  e.jump_if_imm(Cond::kEq, made, 0, full);
  e.store(8, made, 0, root);
  e.jump(out);
  e.bind(full);
  const Reg block = cpu_block(e, memory, out);
  const auto counter = static_cast<std::int32_t>(memory.drops_offset) +
                       static_cast<std::int32_t>(record::Drop::kDynamic) * 8;
  e.atomic(Atomic::kAdd, 8, block, counter, e.imm(1));
  e.bind(out);
  e.exit(0);
  DT_ASSIGN(Assembly assembly, assemble(e, memory.machine.target));
  assembly.object.program = "follow:fork";
  return std::move(assembly.object);
}

}  // namespace dt::bpf

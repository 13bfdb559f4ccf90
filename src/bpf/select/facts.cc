// See facts.h.
//
// What the current CPU and the current thread are does not change within a firing. So each is asked
// for once, where it is first needed, and its register is used again in all blocks that this one
// dominates. In a block that it does not dominate the register may not have been written, so the
// verifier would refuse to read it.

#include "bpf/select/facts.h"

#include <linux/bpf.h>

#include <algorithm>
#include <cstddef>

#include "bpf/routine/string_code.h"
#include "bpf/select/context.h"
#include "support/check.h"

namespace dt::bpf {

Facts::Facts(FunctionContext& f) : f_(f), unit_(f.unit), e_(f.e) {}

Reg Facts::thread_identity() {
  return once(Once::kThreadId, [&] {
    constexpr std::int32_t kTidShift = 42;  // thread ids are below 2^22
    const std::int32_t start_time = unit_.memory.machine.task_start_time;
    if (start_time < 0) return task_address();
    const Reg identity = e_.reg();
    e_.mov(identity, tid());
    e_.alu_imm(Alu::kLsh, identity, kTidShift);
    const Reg start = e_.load(8, task(), start_time);
    e_.alu_imm(Alu::kLsh, start, 64 - kTidShift - 10);
    e_.alu_imm(Alu::kRsh, start, 64 - kTidShift);
    e_.alu(Alu::kOr, identity, start);
    return identity;
  });
}

Reg Facts::once(Once what, const std::function<Reg()>& make) {
  const std::uint32_t clause = what == Once::kEpid ? f_.fused.block_clause[f_.block] : 0;
  auto& known = once_[{what, clause}];
  using Known = std::pair<ir::BlockId, Reg>;
  if (const Known* at = f_.find_usable(known, [](const Known& each) { return each.first; })) {
    return at->second;
  }
  const Reg reg = make();
  known.emplace_back(f_.block, reg);
  return reg;
}

Reg Facts::cpu() {
  return once(Once::kCpu, [&] {
    if (unit_.memory.machine.cpus == 1) return e_.imm(0);
    return e_.call(BPF_FUNC_get_smp_processor_id, {});
  });
}

Reg Facts::percpu_block() {
  return once(Once::kBlock, [&] {
    const Memory& memory = unit_.memory;
    const Reg base = e_.map_value({MapKind::kPercpu, 0}, 0);
    if (memory.machine.cpus == 1) return base;
    const Reg offset = e_.held_copy(cpu());
    e_.jump_if_imm(Cond::kGe, offset, static_cast<std::int32_t>(memory.machine.cpus), f_.exit);
    e_.alu_imm(Alu::kMul, offset, static_cast<std::int32_t>(memory.percpu_stride));
    e_.alu(Alu::kAdd, base, offset);
    return base;
  });
}

Reg Facts::pid_tgid() {
  return once(Once::kPidTgid, [&] { return e_.call(BPF_FUNC_get_current_pid_tgid, {}); });
}

Reg Facts::number_of(Reg at, NumberOf what) {
  if (!unit_.memory.machine.number.are_known()) {
    f_.refuse(ir::Refusal::Code::kNeedsNumbers, {});
    return e_.imm(0);
  }
  return e_.call_subprogram(unit_.routine(Routine::Kind::kNumber),
                            {at, e_.imm(static_cast<std::int64_t>(what))});
}

Reg Facts::tgid() {
  if (!is_in_first_namespace()) {
    return once(Once::kProcessNumber,
                [&] { return number_of(task_address(), NumberOf::kProcess); });
  }
  const std::int32_t offset = unit_.memory.machine.task_tgid;
  if (offset >= 0) return e_.load(4, task(), offset);
  const Reg id = e_.reg();
  e_.mov(id, pid_tgid());
  e_.alu_imm(Alu::kRsh, id, 32);
  return id;
}

Reg Facts::tid() {
  if (!is_in_first_namespace()) {
    return once(Once::kThreadNumber, [&] { return number_of(task_address(), NumberOf::kThread); });
  }
  const std::int32_t offset = unit_.memory.machine.task_pid;
  if (offset >= 0) return e_.load(4, task(), offset);
  const Reg id = e_.reg();
  e_.mov32(id, pid_tgid());
  return id;
}

Reg Facts::task() {
  if (f_.spec.task.valid()) return f_.spec.task;
  if (unit_.thread_at >= 0) {
    return once(Once::kTask, [&] { return e_.load(8, f_.spec.context, unit_.thread_at); });
  }
  return once(Once::kTask, [&] { return e_.call(BPF_FUNC_get_current_task_btf, {}); });
}

Reg Facts::task_address() {
  if (unit_.thread_at < 0) return e_.call(BPF_FUNC_get_current_task, {});
  const Reg address = e_.reg();
  e_.mov(address, task());
  forget_pointer(e_, address);
  return address;
}

Reg Facts::walked_task() {
  const Machine& machine = unit_.memory.machine;
  if (machine.task_cast == 0) return task();
  return once(Once::kWalkedTask, [&] {
    return e_.call_kernel(machine.task_cast, {task(), e_.imm(machine.task_type)});
  });
}

Reg Facts::mm() {
  return once(Once::kMm, [&] { return e_.load(8, walked_task(), unit_.memory.machine.task_mm); });
}

Reg Facts::load_control(std::uint32_t size, std::uint32_t offset) {
  return e_.load(size, e_.map_value({MapKind::kGlobals, 0}, offset), 0);
}

Reg Facts::user_ids() {
  return once(Once::kUidGid, [&] {
    if (unit_.thread_at < 0) return e_.call(BPF_FUNC_get_current_uid_gid, {});
    const Machine& machine = unit_.memory.machine;
    const Label done = e_.label();
    const Reg ids = e_.imm(0), user = e_.reg();
    if (machine.task_cred < 0 || machine.cred_uid < 0 || machine.cred_gid < 0) {
      ir::Inst asks;
      asks.op = ir::Op::kBuiltin;
      asks.builtin = ir::Builtin::kUid;
      f_.refuse(ir::Refusal::Code::kNeedsTypes, asks, "struct cred");
      return ids;
    }
    const Reg cred = e_.load(8, task(), machine.task_cred);
    e_.jump_if_imm(Cond::kEq, cred, 0, done);
    e_.load_to(user, 4, cred, machine.cred_uid);
    e_.load_to(ids, 4, cred, machine.cred_gid);
    e_.alu_imm(Alu::kLsh, ids, 32);
    e_.alu(Alu::kOr, ids, user);
    e_.bind(done);
    return ids;
  });
}

Reg Facts::user_registers() {
  const Reg where = e_.call(BPF_FUNC_task_pt_regs, {task()});
  e_.alu(Alu::kSub, where, task());
  e_.alu(Alu::kAdd, where, e_.call(BPF_FUNC_get_current_task, {}));
  return where;
}

Reg Facts::checked_slot() {
  const Reg slot = e_.held_copy(f_.spec.slot);
  e_.jump_if_imm(Cond::kGe, slot, static_cast<std::int32_t>(f_.spec.probes.size()), f_.exit);
  return slot;
}

Reg Facts::by_slot(const std::vector<std::uint32_t>& values) {
  DT_CHECK(!values.empty());
  if (!f_.spec.slot.valid() ||
      std::all_of(values.begin(), values.end(), [&](auto v) { return v == values[0]; })) {
    return e_.imm(values[0]);
  }
  bool ascending = true;
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (values[i] != values[0] + i) ascending = false;
  }
  if (ascending) {
    const Reg result = e_.reg();
    e_.mov(result, f_.spec.slot);
    e_.alu_imm(Alu::kAdd, result, static_cast<std::int32_t>(values[0]));
    return result;
  }
  std::vector<std::uint8_t> table;
  for (const std::uint32_t v : values) {
    for (int i = 0; i < 4; ++i) table.push_back(static_cast<std::uint8_t>(v >> (8 * i)));
  }
  const Reg base = f_.rodata(unit_.add_rodata(table)).base;
  const Reg offset = checked_slot();
  e_.alu_imm(Alu::kLsh, offset, 2);
  e_.alu(Alu::kAdd, base, offset);
  return e_.load(4, base, 0);
}

Reg Facts::epid_of(const enabling::ClauseBinding& binding, std::uint32_t layout) {
  const std::uint32_t ahead = layout * binding.stride;
  if (binding.dense && f_.spec.slot.valid()) {
    const Reg result = e_.reg();
    e_.mov(result, f_.spec.slot);
    e_.alu_imm(Alu::kAdd, result, static_cast<std::int32_t>(binding.epids[0] + ahead));
    return result;
  }
  std::uint32_t only = 0;
  bool is_only = true;
  for (const std::uint32_t id : binding.epids) {
    if (id == 0) continue;
    if (only != 0) is_only = false;
    only = id;
  }
  // Where the clause runs, the guard has seen that it applies.
  if (is_only) return e_.imm(only + ahead);
  if (ahead == 0) return by_slot(binding.epids);
  std::vector<std::uint32_t> epids = binding.epids;
  for (std::uint32_t& id : epids) id = id == 0 ? 0 : id + ahead;
  return by_slot(epids);
}

Reg Facts::epid() {
  return once(Once::kEpid, [&] { return epid_of(f_.binding()); });
}

bool Facts::is_in_first_namespace() const { return unit_.memory.machine.number.space == 0; }

void Facts::note(Once what, Reg reg) { once_[{what, 0}].emplace_back(f_.block, reg); }

}  // namespace dt::bpf

// Selector: what a firing knows without being told.

#include <algorithm>
#include <cstddef>

#include "bpf/asm/lir.h"
#include "bpf/routine/string_code.h"
#include "bpf/select/firing.h"
#include "bpf/select/selector.h"
#include "support/check.h"

namespace dt::bpf {

bool needs_context(const ir::Inst& inst) {
  switch (inst.op) {
    case ir::Op::kStack:
    case ir::Op::kUstack:
    case ir::Op::kJstack:
      return true;
    case ir::Op::kBuiltin:
      return inst.builtin == ir::Builtin::kCaller || inst.builtin == ir::Builtin::kUcaller ||
             inst.builtin == ir::Builtin::kStackdepth || inst.builtin == ir::Builtin::kUstackdepth;
    default:
      return false;
  }
}

// What `make` yields, made at most once on every way through a clause.
Reg Selector::once(Once what, const std::function<Reg()>& make) {
  const std::uint32_t clause = what == Once::kEpid ? fused_.block_clause[block_] : 0;
  auto& known = once_[{what, clause}];
  using Known = std::pair<ir::BlockId, Reg>;
  if (const Known* at = find_usable(known, [](const Known& each) { return each.first; })) {
    return at->second;
  }
  const Reg reg = make();
  known.emplace_back(block_, reg);
  return reg;
}

Reg Selector::cpu() {
  return once(Once::kCpu, [&] {
    if (unit_.memory.machine.cpus == 1) return e_.imm(0);
    return e_.call(BPF_FUNC_get_smp_processor_id, {});
  });
}

// This CPU's block in the per-CPU map.
Reg Selector::percpu_block() {
  return once(Once::kBlock, [&] {
    const Memory& memory = unit_.memory;
    const Reg base = e_.map_value({MapKind::kPercpu, 0}, 0);
    if (memory.machine.cpus == 1) return base;
    const Reg offset = e_.held_copy(cpu());
    e_.jump_if_imm(Cond::kGe, offset, static_cast<std::int32_t>(memory.machine.cpus), exit_label_);
    e_.alu_imm(Alu::kMul, offset, static_cast<std::int32_t>(memory.percpu_stride));
    e_.alu(Alu::kAdd, base, offset);
    return base;
  });
}

Reg Selector::pid_tgid() {
  return once(Once::kPidTgid, [&] { return e_.call(BPF_FUNC_get_current_pid_tgid, {}); });
}

// In our namespace.
Reg Selector::number_of(Reg at, NumberOf what) {
  if (!unit_.memory.machine.number.are_known()) {
    refuse("within a namespace, numbers of processes need the kernel's type information (BTF)");
    return e_.imm(0);
  }
  return e_.call_subprogram(unit_.routine(Routine::Kind::kNumber),
                            {at, e_.imm(static_cast<std::int64_t>(what))});
}

// Ids of processes and threads are below 2^22: no sign to extend. A call of a
// helper is the dearest thing in most programs, and the task serves the name
// and the thread's storage, too.
Reg Selector::tgid() {
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

Reg Selector::tid() {
  if (!is_in_first_namespace()) {
    return once(Once::kThreadNumber, [&] { return number_of(task_address(), NumberOf::kThread); });
  }
  const std::int32_t offset = unit_.memory.machine.task_pid;
  if (offset >= 0) return e_.load(4, task(), offset);
  const Reg id = e_.reg();
  e_.mov32(id, pid_tgid());
  return id;
}

Reg Selector::task() {
  if (spec_.task.valid()) return spec_.task;
  if (unit_.thread_at >= 0) {
    return once(Once::kTask, [&] { return e_.load(8, spec_.context, unit_.thread_at); });
  }
  return once(Once::kTask, [&] { return e_.call(BPF_FUNC_get_current_task_btf, {}); });
}

// As a number.
Reg Selector::task_address() {
  if (unit_.thread_at < 0) return e_.call(BPF_FUNC_get_current_task, {});
  const Reg address = e_.reg();
  e_.mov(address, task());
  forget_pointer(e_, address);
  return address;
}

// The task whose pointers are followed: see Machine::task_cast.
Reg Selector::walked_task() {
  const Machine& machine = unit_.memory.machine;
  if (machine.task_cast == 0) return task();
  return once(Once::kWalkedTask, [&] {
    return e_.call_kernel(machine.task_cast, {task(), e_.imm(machine.task_type)});
  });
}

// The memory of the task's process.
Reg Selector::mm() {
  return once(Once::kMm, [&] { return e_.load(8, walked_task(), unit_.memory.machine.task_mm); });
}

// A firing has one time, whichever clause asks first.
Reg Selector::now() {
  if (known_since(time_points_)) return time_;
  const Label have = e_.label();
  const Firing* const firing = spec_.firing;
  if (firing != nullptr) e_.load_to(time_, 8, frame_, static_cast<std::int32_t>(firing->time));
  if (firing != nullptr || !time_points_.empty()) e_.jump_if_imm(Cond::kNe, time_, 0, have);
  e_.mov(time_, e_.call(BPF_FUNC_ktime_get_ns, {}));
  if (firing != nullptr) e_.store(8, frame_, static_cast<std::int32_t>(firing->time), time_);
  e_.bind(have);
  time_points_.push_back(block_);
  return time_;
}

// What the prologue knows. A part finds in the frame what main has kept there.
Reg Selector::argument(std::uint32_t number) {
  if (spec_.firing == nullptr) {
    forget_waiting();
    return spec_.argument(number);
  }
  const auto kept = spec_.firing->arguments.find(number);
  DT_CHECK(kept != spec_.firing->arguments.end(), "arg{}", number);
  return e_.load(8, frame_, static_cast<std::int32_t>(kept->second));
}

Reg Selector::error_number() {
  if (spec_.firing == nullptr) return spec_.error_number();
  return e_.load(8, frame_, static_cast<std::int32_t>(spec_.firing->error_number));
}

Reg Selector::kernel_register(std::uint32_t number) {
  if (!unit_.has_registers) {
    refuse(
        "regs[ ] cannot be had at this probe: probes of kinst alone have the kernel's registers");
    return e_.imm(0);
  }
  if (spec_.firing == nullptr) return spec_.kernel_register(number);
  return e_.load(8, frame_, static_cast<std::int32_t>(spec_.firing->registers.at(number)));
}

Reg Selector::load_control(std::uint32_t size, std::uint32_t offset) {
  return e_.load(size, e_.map_value({MapKind::kGlobals, 0}, offset), 0);
}

void Selector::builtin(const ir::Inst& inst) {
  using ir::Builtin;
  const auto shifted = [&](Reg pair, bool high, bool is_signed) {
    const Reg half = e_.reg();
    if (high) {
      e_.mov(half, pair);
      e_.alu_imm(is_signed ? Alu::kArsh : Alu::kRsh, half, 32);
    } else {
      e_.mov32(half, pair);
      if (is_signed) e_.sign_extend(half, 4);
    }
    return half;
  };
  switch (inst.builtin) {
    case Builtin::kArg:
      return define(inst, argument(static_cast<std::uint32_t>(inst.imm)));
    case Builtin::kPid:
      return define(inst, tgid());
    case Builtin::kTid:
      return define(inst, tid());
    case Builtin::kUid:
      return define(inst, shifted(user_ids(), false, inst.type.is_signed));
    case Builtin::kGid:
      return define(inst, shifted(user_ids(), true, inst.type.is_signed));
    case Builtin::kPpid: {
      const Machine& machine = unit_.memory.machine;
      if (machine.task_real_parent < 0 || machine.task_tgid < 0) {
        refuse("ppid needs the kernel's type information (BTF) of struct task_struct");
        return define(inst, e_.imm(0));
      }
      const Reg parent = e_.load(8, task(), machine.task_real_parent);
      if (!is_in_first_namespace()) {
        forget_pointer(e_, parent);
        return define(inst, number_of(parent, NumberOf::kProcess));
      }
      return define(inst, e_.load(4, parent, machine.task_tgid));
    }
    case Builtin::kCpu:
      return define(inst, cpu());
    case Builtin::kErrno:
      return define(inst, error_number());
    case Builtin::kExecname:
      return execname(inst);
    case Builtin::kTimestamp:
      return define(inst, now());
    case Builtin::kVtimestamp:
      return vtimestamp(inst);
    case Builtin::kWalltimestamp: {
      const Reg wall = e_.reg();
      e_.mov(wall, now());
      e_.alu(Alu::kAdd, wall, load_control(8, offsetof(Control, wall_offset_ns)));
      return define(inst, wall);
    }
    case Builtin::kProbeId:
      return probe_id(inst);
    case Builtin::kEpid:
      return define(inst, epid());
    case Builtin::kCurthread:
      return follow_curthread(inst);
    case Builtin::kCaller:
      return define(inst, one_frame(false, unit_.caller_frame));
    case Builtin::kUcaller:
      return define(inst, one_frame(true, 1));
    case Builtin::kStackdepth:
      return define(inst, depth(false));
    case Builtin::kUstackdepth:
      return define(inst, depth(true));
    case Builtin::kIpl:
      return define(inst, e_.imm(0));
    case Builtin::kProbeprov:
    case Builtin::kProbemod:
    case Builtin::kProbefunc:
    case Builtin::kProbename:
      return probe_name(inst);
    case Builtin::kExecargs:
      return execargs(inst);
    case Builtin::kUregs:
      return define(inst, user_registers());
    case Builtin::kRegs:
      return define(inst, kernel_register(static_cast<std::uint32_t>(inst.imm)));
  }
}

// The group's number and the user's, in one word.
Reg Selector::user_ids() {
  return once(Once::kUidGid, [&] {
    if (unit_.thread_at < 0) return e_.call(BPF_FUNC_get_current_uid_gid, {});
    const Machine& machine = unit_.memory.machine;
    const Label done = e_.label();
    const Reg ids = e_.imm(0), user = e_.reg();
    if (machine.task_cred < 0 || machine.cred_uid < 0 || machine.cred_gid < 0) {
      refuse("uid and gid need the kernel's type information (BTF) of struct cred at this probe");
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

// What only the thread that runs has: its program's memory and registers, and
// signals that it sends.
void Selector::refuse_at_other_thread(const ir::Inst& inst) {
  using ir::Builtin;
  const char* what = nullptr;
  switch (inst.op) {
    case ir::Op::kCopyinstr:
    case ir::Op::kCopyin:
    case ir::Op::kCopyUser:
    case ir::Op::kLoadUser:
      what = "the memory of its program";
      break;
    case ir::Op::kCopyout:
    case ir::Op::kCopyoutString:
      what = "writing its program's memory";
      break;
    case ir::Op::kUstack:
      what = "ustack( )";
      break;
    case ir::Op::kJstack:
      what = "jstack( )";
      break;
    case ir::Op::kSignal:
      what = "a signal";
      break;
    case ir::Op::kCall:
      if (static_cast<ir::Subroutine>(inst.index) == ir::Subroutine::kMemstrUser) {
        what = "the memory of its program";
      }
      break;
    case ir::Op::kBuiltin:
      what = inst.builtin == Builtin::kUregs         ? "uregs[ ]"
             : inst.builtin == Builtin::kExecargs    ? "execargs"
             : inst.builtin == Builtin::kUcaller     ? "ucaller"
             : inst.builtin == Builtin::kUstackdepth ? "ustackdepth"
             : inst.builtin == Builtin::kCaller      ? "caller"
             : inst.builtin == Builtin::kStackdepth  ? "stackdepth"
                                                     : nullptr;
      break;
    default:
      break;
  }
  if (what != nullptr) {
    refuse(fmt::format("{} cannot be had at a probe whose thread does not run yet", what));
  }
}

// The address of the registers as a number, which a fault can report: pointers
// to different things have a difference, and the task's address is to be had as
// a number.
Reg Selector::user_registers() {
  const Reg where = e_.call(BPF_FUNC_task_pt_regs, {task()});
  e_.alu(Alu::kSub, where, task());
  e_.alu(Alu::kAdd, where, e_.call(BPF_FUNC_get_current_task, {}));
  return where;
}

// ---- The process's name --------------------------------------------------------

// Two words straight from task->comm, or through the helper.
void Selector::execname(const ir::Inst& inst) {
  const Machine& machine = unit_.memory.machine;
  Reg high;
  const Reg low = once(Once::kCommLow, [&] {
    Reg first, second;
    if (machine.task_comm >= 0) {
      first = e_.load(8, task(), machine.task_comm);
      second = e_.load(8, task(), machine.task_comm + 8);
    } else {
      const Place buffer = stack_word();
      e_.call_void(BPF_FUNC_get_current_comm, {address(buffer), e_.imm(16)});
      first = e_.load(8, e_.stack_address(word_), 0);
      second = e_.load(8, e_.stack_address(word_), 8);
    }
    truncate_at_nul(first, second);
    once_[{Once::kCommHigh, 0}].emplace_back(block_, second);
    return first;
  });
  high = once(Once::kCommHigh, [&] { return low; });
  values_[inst.result] = {
      .kind = Value::Kind::kWords, .type = inst.type, .reg = low, .high = high, .avail = 16};
}

// Clears what stands behind the first NUL: old kernels leave the end of a
// longer name there, and equal names must be equal as words. The lowest byte
// whose top bit is set in (x - 0x01..) & ~x & 0x80.. is the first NUL.
void Selector::truncate_at_nul(Reg low, Reg high) {
  const Label done = e_.label(), second = e_.label();
  keep_to_nul(low, second);
  e_.mov_imm(high, 0);
  e_.jump(done);
  e_.bind(second);
  keep_to_nul(high, done);
  e_.bind(done);
}

// Clears what stands behind the first NUL of `word`; goes to `none` without one.
void Selector::keep_to_nul(Reg word, Label none) {
  const Reg marks = e_.reg(), inverse = e_.reg();
  e_.mov(marks, word);
  e_.alu(Alu::kSub, marks, e_.imm(0x0101010101010101));
  e_.mov(inverse, word);
  e_.alu_imm(Alu::kXor, inverse, -1);
  e_.alu(Alu::kAnd, marks, inverse);
  e_.alu(Alu::kAnd, marks, e_.imm(static_cast<std::int64_t>(0x8080808080808080)));
  e_.jump_if_imm(Cond::kEq, marks, 0, none);
  // The lowest mark alone, moved to its byte's lowest bit, less one.
  e_.mov(inverse, marks);
  e_.neg(inverse);
  e_.alu(Alu::kAnd, marks, inverse);
  e_.alu_imm(Alu::kRsh, marks, 7);
  e_.alu_imm(Alu::kSub, marks, 1);
  e_.alu(Alu::kAnd, word, marks);
}

// ---- On-CPU time ----------------------------------------------------------------

// What the sched_switch program has summed up for this thread, plus the time
// since it was switched in.
void Selector::vtimestamp(const ir::Inst& inst) {
  // Made here, because the program on sched_switch may not (faults.cc).
  need_tls(true);
  const Reg time = e_.imm(0);
  const Label fresh = e_.label(), done = e_.label();
  e_.jump_if_imm(Cond::kEq, tls_, 0, fresh);
  const Place sum = at(tls_, unit_.memory.tls_vtime_offset);
  e_.load_to(time, 8, sum.base, sum.offset);
  e_.bind(fresh);
  if (unit_.thread_at < 0) {
    const Reg end = now();
    const Place misc = at(percpu_block(), unit_.memory.misc_offset);
    const Reg since = e_.load(8, misc.base, misc.offset);
    e_.jump_if_imm(Cond::kEq, since, 0, done);
    e_.alu(Alu::kAdd, time, end);
    e_.alu(Alu::kSub, time, since);
  }
  e_.bind(done);
  if (spec_.firing != nullptr) {
    // The parts of a firing have one time, though the thread may leave the CPU
    // between them.
    const Place kept = {frame_, static_cast<std::int32_t>(spec_.firing->vtime)};
    const Label is_first = e_.label(), have = e_.label();
    const Reg first = e_.load(8, kept.base, kept.offset);
    e_.jump_if_imm(Cond::kEq, first, 0, is_first);
    e_.mov(time, first);
    e_.jump(have);
    e_.bind(is_first);
    e_.store(8, kept.base, kept.offset, time);
    e_.bind(have);
  }
  define(inst, time);
}

// ---- Who fired ----------------------------------------------------------------------

// A copy of the slot, of which the verifier is told again that it is in range.
Reg Selector::checked_slot() {
  const Reg slot = e_.held_copy(spec_.slot);
  e_.jump_if_imm(Cond::kGe, slot, static_cast<std::int32_t>(spec_.probes.size()), exit_label_);
  return slot;
}

// values[slot]: a constant, slot + constant, or a table in rodata.
Reg Selector::by_slot(const std::vector<std::uint32_t>& values) {
  DT_CHECK(!values.empty());
  if (!spec_.slot.valid() ||
      std::all_of(values.begin(), values.end(), [&](auto v) { return v == values[0]; })) {
    return e_.imm(values[0]);
  }
  bool ascending = true;
  for (std::size_t i = 0; i < values.size(); i++) {
    if (values[i] != values[0] + i) ascending = false;
  }
  if (ascending) {
    const Reg result = e_.reg();
    e_.mov(result, spec_.slot);
    e_.alu_imm(Alu::kAdd, result, static_cast<std::int32_t>(values[0]));
    return result;
  }
  std::vector<std::uint8_t> table;
  for (const std::uint32_t v : values) {
    for (int i = 0; i < 4; i++) table.push_back(static_cast<std::uint8_t>(v >> (8 * i)));
  }
  const Reg base = rodata(unit_.add_rodata(table)).base;
  const Reg offset = checked_slot();
  e_.alu_imm(Alu::kLsh, offset, 2);
  e_.alu(Alu::kAdd, base, offset);
  return e_.load(4, base, 0);
}

Reg Selector::epid_of(const enabling::ClauseBinding& binding) {
  if (binding.dense && spec_.slot.valid()) {
    const Reg result = e_.reg();
    e_.mov(result, spec_.slot);
    e_.alu_imm(Alu::kAdd, result, static_cast<std::int32_t>(binding.epids[0]));
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
  if (is_only) return e_.imm(only);
  return by_slot(binding.epids);
}

Reg Selector::epid() {
  return once(Once::kEpid, [&] { return epid_of(binding()); });
}

void Selector::probe_id(const ir::Inst& inst) {
  std::vector<std::uint32_t> ids;
  for (const probe::Probe& probe : spec_.probes) ids.push_back(probe.id.value);
  define(inst, by_slot(ids));
}

void Selector::probe_name(const ir::Inst& inst) {
  const bool is_of_process =
      std::any_of(spec_.probes.begin(), spec_.probes.end(),
                  [](const probe::Probe& probe) { return !probe.binding.stem.empty(); });
  if (inst.builtin == ir::Builtin::kProbeprov && is_of_process) return provider_of_process(inst);
  const std::uint32_t size = inst.type.size, step = (size + 7) / 8 * 8;
  std::vector<std::uint8_t> table;
  for (const probe::Probe& probe : spec_.probes) {
    const probe::Description& d = probe.description;
    const std::string& name = inst.builtin == ir::Builtin::kProbeprov   ? d.provider
                              : inst.builtin == ir::Builtin::kProbemod  ? d.module
                              : inst.builtin == ir::Builtin::kProbefunc ? d.function
                                                                        : d.name;
    const std::size_t start = table.size();
    const std::size_t length = std::min<std::size_t>(name.size(), size - 1);
    table.insert(table.end(), name.begin(), name.begin() + static_cast<std::ptrdiff_t>(length));
    table.resize(start + step, 0);
  }
  const Reg base = rodata(unit_.add_rodata(table)).base;
  if (spec_.slot.valid()) {
    const Reg offset = checked_slot();
    e_.alu_imm(Alu::kMul, offset, static_cast<std::int32_t>(step));
    e_.alu(Alu::kAdd, base, offset);
  }
  define_memory(inst, {base, 0}, step);
}

}  // namespace dt::bpf

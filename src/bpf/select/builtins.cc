// See builtins.h.

#include "bpf/select/builtins.h"

#include <fmt/core.h>
#include <linux/bpf.h>

#include <cstddef>

#include "bpf/layout/control.h"
#include "bpf/routine/routine.h"
#include "bpf/routine/string_code.h"
#include "bpf/select/bytes.h"
#include "bpf/select/context.h"
#include "bpf/select/facts.h"
#include "bpf/select/firing.h"
#include "bpf/select/follow.h"
#include "bpf/select/key_buffer.h"
#include "bpf/select/probe_names.h"
#include "bpf/select/processes.h"
#include "bpf/select/stacks.h"
#include "bpf/select/storage.h"
#include "bpf/select/thread_storage.h"
#include "bpf/select/values.h"
#include "support/check.h"

namespace dt::bpf {

Builtins::Builtins(const Core& core, ThreadStorage& tls, ProbeNames& probe_names, Follow& follow,
                   Processes& processes, Stacks& stacks)
    : SelectionPart(core),
      tls_(tls),
      probe_names_(probe_names),
      follow_(follow),
      processes_(processes),
      stacks_(stacks) {}

void Builtins::begin_clock() {
  time_ = e_.reg();
  e_.mov_imm(time_, 0);
  for (const ir::Block& block : f_.fused.fn.blocks) {
    for (const ir::Inst& inst : block.insts) restarts_ |= inst.op == ir::Op::kChill;
  }
}

// Values that were read before stay what they are, so now() gives copies in such a function.
void Builtins::restart_clock() {
  e_.mov_imm(time_, 0);
  time_points_.clear();
  const Firing* const firing = f_.spec.firing;
  if (firing == nullptr) return;
  e_.store(8, storage_.frame(), static_cast<std::int32_t>(firing->time), time_);
  e_.store(8, storage_.frame(), static_cast<std::int32_t>(firing->vtime), time_);
}

// A firing has one time, whichever clause asks first.
Reg Builtins::now() {
  read_clock();
  if (!restarts_) return time_;
  const Reg copy = e_.reg();
  e_.mov(copy, time_);
  return copy;
}

void Builtins::read_clock() {
  if (f_.known_since(time_points_)) return;
  const Label have = e_.label();
  const Firing* const firing = f_.spec.firing;
  if (firing != nullptr)
    e_.load_to(time_, 8, storage_.frame(), static_cast<std::int32_t>(firing->time));
  if (firing != nullptr || restarts_ || !time_points_.empty())
    e_.jump_if_imm(Cond::kNe, time_, 0, have);
  e_.mov(time_, e_.call(BPF_FUNC_ktime_get_ns, {}));
  if (firing != nullptr)
    e_.store(8, storage_.frame(), static_cast<std::int32_t>(firing->time), time_);
  e_.bind(have);
  time_points_.push_back(f_.block);
}

// What the prologue knows. A part finds in the frame what main has kept there.
Reg Builtins::argument(std::uint32_t number) {
  if (f_.spec.firing == nullptr) {
    keys_.forget_waiting();
    return f_.spec.argument(number);
  }
  const auto kept = f_.spec.firing->arguments.find(number);
  DT_CHECK(kept != f_.spec.firing->arguments.end(), "arg{}", number);
  return e_.load(8, storage_.frame(), static_cast<std::int32_t>(kept->second));
}

Reg Builtins::error_number() {
  if (f_.spec.firing == nullptr) return f_.spec.error_number();
  return e_.load(8, storage_.frame(), static_cast<std::int32_t>(f_.spec.firing->error_number));
}

Reg Builtins::kernel_register(const ir::Inst& inst) {
  const auto number = static_cast<std::uint32_t>(inst.imm);
  if (!unit_.has_registers) {
    f_.refuse(ir::Refusal::Code::kNoKernelRegisters, inst);
    return e_.imm(0);
  }
  if (f_.spec.firing == nullptr) return f_.spec.kernel_register(number);
  return e_.load(8, storage_.frame(),
                 static_cast<std::int32_t>(f_.spec.firing->registers.at(number)));
}

Reg Builtins::parent(const ir::Inst& inst) {
  const Machine& machine = unit_.memory.machine;
  if (machine.task_real_parent < 0 || machine.task_tgid < 0) {
    f_.refuse(ir::Refusal::Code::kNeedsTypes, inst, "struct task_struct");
    return e_.imm(0);
  }
  const Reg parent = e_.load(8, facts_.task(), machine.task_real_parent);
  if (facts_.is_in_first_namespace()) return e_.load(4, parent, machine.task_tgid);
  forget_pointer(e_, parent);
  return facts_.number_of(parent, NumberOf::kProcess);
}

// Of two 32-bit numbers that a helper gives in one word.
Reg Builtins::half_of(Reg pair, Half which, bool is_signed) {
  const Reg half = e_.reg();
  if (which == Half::kHigh) {
    e_.mov(half, pair);
    e_.alu_imm(is_signed ? Alu::kArsh : Alu::kRsh, half, 32);
  } else {
    e_.mov32(half, pair);
    if (is_signed) e_.sign_extend(half, 4);
  }
  return half;
}

Reg Builtins::wall_time() {
  const Reg wall = e_.reg();
  e_.mov(wall, now());
  e_.alu(Alu::kAdd, wall, facts_.load_control(8, offsetof(Control, wall_offset_ns)));
  return wall;
}

// One line for each variable.
void Builtins::builtin(const ir::Inst& inst) {
  using ir::Builtin;
  switch (inst.builtin) {
    case Builtin::kArg:
      return values_.define(inst, argument(static_cast<std::uint32_t>(inst.imm)));
    case Builtin::kPid:
      return values_.define(inst, facts_.tgid());
    case Builtin::kTid:
      return values_.define(inst, facts_.tid());
    case Builtin::kUid:
      return values_.define(inst, half_of(facts_.user_ids(), Half::kLow, inst.type.is_signed));
    case Builtin::kGid:
      return values_.define(inst, half_of(facts_.user_ids(), Half::kHigh, inst.type.is_signed));
    case Builtin::kPpid:
      return values_.define(inst, parent(inst));
    case Builtin::kCpu:
      return values_.define(inst, facts_.cpu());
    case Builtin::kErrno:
      return values_.define(inst, error_number());
    case Builtin::kExecname:
      return execname(inst);
    case Builtin::kTimestamp:
      return values_.define(inst, now());
    case Builtin::kVtimestamp:
      return vtimestamp(inst);
    case Builtin::kWalltimestamp:
      return values_.define(inst, wall_time());
    case Builtin::kProbeId:
      return probe_names_.probe_id(inst);
    case Builtin::kEpid:
      return values_.define(inst, facts_.epid());
    case Builtin::kCurthread:
      return follow_.follow_curthread(inst);
    case Builtin::kCaller:
      return values_.define(inst, stacks_.one_frame(false, unit_.caller_frame));
    case Builtin::kUcaller:
      return values_.define(inst, stacks_.one_frame(true, 1));
    case Builtin::kStackdepth:
      return values_.define(inst, stacks_.depth(false));
    case Builtin::kUstackdepth:
      return values_.define(inst, stacks_.depth(true));
    case Builtin::kIpl:
      return values_.define(inst, e_.imm(0));
    case Builtin::kProbeprov:
    case Builtin::kProbemod:
    case Builtin::kProbefunc:
    case Builtin::kProbename:
      return probe_names_.probe_name(inst);
    case Builtin::kExecargs:
      return processes_.execargs(inst);
    case Builtin::kUregs:
      return values_.define(inst, facts_.user_registers());
    case Builtin::kRegs:
      return values_.define(inst, kernel_register(inst));
  }
}

// What only the thread that runs has: its program's memory and registers, and
// signals that it sends.
void Builtins::refuse_at_other_thread(const ir::Inst& inst) {
  using ir::Builtin;
  bool is_of_running = false;
  switch (inst.op) {
    case ir::Op::kCopyinstr:
    case ir::Op::kUserText:
    case ir::Op::kCopyin:
    case ir::Op::kCopyUser:
    case ir::Op::kLoadUser:
    case ir::Op::kCopyout:
    case ir::Op::kCopyoutString:
    case ir::Op::kUstack:
    case ir::Op::kJstack:
    case ir::Op::kSignal:
      is_of_running = true;
      break;
    case ir::Op::kCall:
      is_of_running = static_cast<ir::Subroutine>(inst.index) == ir::Subroutine::kMemstrUser;
      break;
    case ir::Op::kBuiltin:
      is_of_running = inst.builtin == Builtin::kUregs || inst.builtin == Builtin::kExecargs ||
                      inst.builtin == Builtin::kUcaller || inst.builtin == Builtin::kUstackdepth;
      break;
    default:
      break;
  }
  if (is_of_running) f_.refuse(ir::Refusal::Code::kOtherThread, inst);
}

// ---- The process's name --------------------------------------------------------

// Two words straight from task->comm, or through the helper.
void Builtins::execname(const ir::Inst& inst) {
  const Machine& machine = unit_.memory.machine;
  Reg high;
  const Reg low = facts_.once(Facts::Once::kCommLow, [&] {
    Reg first, second;
    if (machine.task_comm >= 0) {
      first = e_.load(8, facts_.task(), machine.task_comm);
      second = e_.load(8, facts_.task(), machine.task_comm + 8);
    } else {
      const Place buffer = storage_.stack_word();
      e_.call_void(BPF_FUNC_get_current_comm, {f_.address(buffer), e_.imm(16)});
      first = e_.load(8, e_.stack_address(storage_.word()), 0);
      second = e_.load(8, e_.stack_address(storage_.word()), 8);
    }
    bytes_.truncate_at_nul(first, second);
    facts_.note(Facts::Once::kCommHigh, second);
    return first;
  });
  high = facts_.once(Facts::Once::kCommHigh, [&] { return low; });
  values_[inst.result] = {
      .kind = Value::Kind::kWords, .type = inst.type, .reg = low, .high = high, .avail = 16};
}

// ---- On-CPU time ----------------------------------------------------------------

// What the sched_switch program has summed up for this thread, plus the time
// since it was switched in.
void Builtins::vtimestamp(const ir::Inst& inst) {
  // Made here, because the program on sched_switch may not (faults.cc).
  tls_.need_tls(true);
  const Reg time = e_.imm(0);
  const Label fresh = e_.label(), done = e_.label();
  e_.jump_if_imm(Cond::kEq, tls_.reg(), 0, fresh);
  const Place sum = storage_.at(tls_.reg(), unit_.memory.tls_vtime_offset);
  e_.load_to(time, 8, sum.base, sum.offset);
  e_.bind(fresh);
  if (unit_.thread_at < 0) {
    const Reg end = now();
    const Place misc = storage_.at(facts_.percpu_block(), unit_.memory.misc_offset);
    const Reg since = e_.load(8, misc.base, misc.offset);
    e_.jump_if_imm(Cond::kEq, since, 0, done);
    e_.alu(Alu::kAdd, time, end);
    e_.alu(Alu::kSub, time, since);
  }
  e_.bind(done);
  if (f_.spec.firing != nullptr) {
    // The parts of a firing have one time, though the thread may leave the CPU
    // between them.
    const Place kept = {storage_.frame(), static_cast<std::int32_t>(f_.spec.firing->vtime)};
    const Label is_first = e_.label(), have = e_.label();
    const Reg first = e_.load(8, kept.base, kept.offset);
    e_.jump_if_imm(Cond::kEq, first, 0, is_first);
    e_.mov(time, first);
    e_.jump(have);
    e_.bind(is_first);
    e_.store(8, kept.base, kept.offset, time);
    e_.bind(have);
  }
  values_.define(inst, time);
}

}  // namespace dt::bpf

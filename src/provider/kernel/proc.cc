// The proc provider: the life of processes and threads, and signals.
//
//   create, lwp-create         sched_process_fork, in the parent
//   start, lwp-start           sys_exit of the call that made the child, in the child; the first
//                              thread of a process fires both
//   exec, exec-failure         sys_enter and sys_exit of execve and execveat
//   exec-success               sched_process_exec, with the new image in place
//   exit, lwp-exit             sched_process_exit
//   signal-send, -discard      signal_generate, in the sender
//   signal-handle              signal_deliver, in the receiver
//   signal-clear               sys_exit of rt_sigtimedwait
//   fault                      signal_generate for an exception of the running thread

#include "provider/mechanism/providers.h"
#include "provider/mechanism/stable.h"
#include "provider/mechanism/stable_call.h"

namespace dt::provider {

namespace {

using bpf::Alu;
using bpf::Cond;
using bpf::Emitter;
using bpf::Label;
using bpf::Reg;

constexpr const char* kTask = "task_struct";
const std::string kNativeTask = "struct task_struct *";
const std::string kNativeSiginfo = "struct kernel_siginfo *";

const probe::Argument kPsinfo = {"psinfo_t *", false, kNativeTask, 0};
const probe::Argument kLwpsinfo = {"lwpsinfo_t *", false, kNativeTask, 0};
const probe::Argument kNumber = {"int", false};

// ---- Tasks -----------------------------------------------------------------------

// A thread that leads its group stands for the process.
void leave_unless_leader(StableCode& code, Reg task, bool wanted, Label leave) {
  const Reg pid = code.member(task, kTask, "pid");
  const Reg tgid = code.member(task, kTask, "tgid");
  code.emitter().jump_if(wanted ? Cond::kNe : Cond::kEq, pid, tgid, leave);
}

// The argument of sched_process_fork that is the child.
constexpr std::uint32_t kChild = 1;

void process_is_made(StableCode& code, Label leave) {
  leave_unless_leader(code, code.word(kChild), true, leave);
}
void thread_is_made(StableCode& code, Label leave) {
  leave_unless_leader(code, code.word(kChild), false, leave);
}
Reg child(StableCode& code, std::uint32_t) { return code.word(kChild); }

// The last thread of a group ends the process. The tracepoint says which that is
// since Linux 6.16; before, the leader is taken, unless it makes room for
// another thread of its group that calls execve().
void process_ends(StableCode& code, Label leave) {
  if (code.has_word(1)) return code.emitter().jump_if_imm(Cond::kEq, code.word(1), 0, leave);
  leave_unless_leader(code, code.word(0), true, leave);
  const char* const task = code.has(kTask, "signal->group_exec_task")
                               ? "signal->group_exec_task"
                               : "signal->group_exit_task";  // before 5.17
  const Reg executing = code.member(code.word(0), kTask, task);
  code.emitter().jump_if_imm(Cond::kNe, executing, 0, leave);
}

// CLD_EXITED, CLD_KILLED or CLD_DUMPED.
Reg end_reason(StableCode& code, std::uint32_t) {
  Emitter& e = code.emitter();
  const Reg exit_code = code.member(code.word(0), kTask, "exit_code");
  const Reg reason = e.reg();
  const Label done = e.label();
  e.mov_imm(reason, 3);
  e.jump_if_imm(Cond::kSet, exit_code, 0x80, done);
  e.mov_imm(reason, 2);
  e.jump_if_imm(Cond::kSet, exit_code, 0x7f, done);
  e.mov_imm(reason, 1);
  e.bind(done);
  return reason;
}

// ---- System calls ------------------------------------------------------------------

constexpr CallNumbers kExecve = {59, x32(520), 11};
constexpr CallNumbers kExecveat = {322, x32(545), 358};
constexpr CallNumbers kExec[] = {kExecve, kExecveat};
constexpr CallNumbers kMakesChild[] = {
    {56, x32(56), 120}, {57, x32(57), 2}, {58, x32(58), 190}, {435, x32(435), 435}};
// Of 32 bits there are two, for times of 32 and of 64 bits.
constexpr CallNumbers kSigtimedwait[] = {{128, x32(523), 177}, {-1, -1, 421}};

// sys_enter: { struct pt_regs *, number }, sys_exit: { struct pt_regs *, result }.
constexpr std::uint32_t kResult = 1;

void exec_begins(StableCode& code, Label leave) { leave_unless_call(code, kExec, leave); }

// The path: the first argument of execve(), the second of execveat().
Reg exec_path(StableCode& code, std::uint32_t) {
  Emitter& e = code.emitter();
  const Label ia32 = e.label(), done = e.label();
  const Reg path = e.reg();
  const auto choose = [&](Reg number, std::int32_t at, std::int32_t at_x32, const char* second,
                          const char* first) {
    const Label is_at = e.label(), chosen = e.label();
    e.jump_if_imm(Cond::kEq, number, at, is_at);
    e.jump_if_imm(Cond::kEq, number, at_x32, is_at);
    e.mov(path, code.member(code.word(0), "pt_regs", first));
    e.jump(chosen);
    e.bind(is_at);
    e.mov(path, code.member(code.word(0), "pt_regs", second));
    e.bind(chosen);
  };
  const Reg number = call_number(code, ia32);
  choose(number, kExecveat.native, kExecveat.x32, "si", "di");
  e.jump(done);
  e.bind(ia32);
  choose(number, kExecveat.ia32, kExecveat.ia32, "cx", "bx");
  e.bind(done);
  return path;
}

void exec_fails(StableCode& code, Label leave) {
  code.emitter().jump_if_imm(Cond::kSge, code.word(kResult), 0, leave);
  leave_unless_call(code, kExec, leave);
}
Reg error_of_result(StableCode& code, std::uint32_t) {
  const Reg error = code.word(kResult);
  code.emitter().neg(error);
  return error;
}

// The call that made it returns 0 in a child.
void thread_starts(StableCode& code, Label leave) {
  code.emitter().jump_if_imm(Cond::kNe, code.word(kResult), 0, leave);
  leave_unless_call(code, kMakesChild, leave);
}
void process_starts(StableCode& code, Label leave) {
  thread_starts(code, leave);
  leave_unless_leader(code, code.current(), true, leave);
}

void signal_is_taken(StableCode& code, Label leave) {
  code.emitter().jump_if_imm(Cond::kSle, code.word(kResult), 0, leave);
  leave_unless_call(code, kSigtimedwait, leave);
}
Reg result(StableCode& code, std::uint32_t) { return code.word(kResult); }

// ---- Signals -----------------------------------------------------------------------

// signal_generate: { number, struct kernel_siginfo *, the receiver, of the group?,
// what became of it }.
enum Generated : std::uint32_t { kSignal, kInfo, kReceiver, kGroup, kFate };
// enum of include/trace/events/signal.h.
enum Fate : std::int32_t { kDelivered, kIgnored, kAlreadyPending, kOverflow, kLosesInfo };

void signal_is_sent(StableCode& code, Label leave) {
  Emitter& e = code.emitter();
  const Label is_sent = e.label();
  const Reg fate = code.word(kFate);
  e.jump_if_imm(Cond::kEq, fate, kDelivered, is_sent);
  e.jump_if_imm(Cond::kNe, fate, kLosesInfo, leave);
  e.bind(is_sent);
}
void signal_is_discarded(StableCode& code, Label leave) {
  Emitter& e = code.emitter();
  const Reg fate = code.word(kFate);
  e.jump_if_imm(Cond::kEq, fate, kDelivered, leave);
  e.jump_if_imm(Cond::kEq, fate, kLosesInfo, leave);
}
Reg receiver_and_signal(StableCode& code, std::uint32_t n) {
  return code.word(n == 0 ? kReceiver : kSignal);
}

// signal_deliver: { number, struct kernel_siginfo *, struct k_sigaction * }.
//
// A signal that ends a process is mostly not taken from its queue: when it is sent, the
// kernel tells every thread to end, which fires as SIGKILL without a siginfo in each of
// them. So do the other threads when one calls exit_group() or execve(), or dumps core. The
// signal is known by the status that the process will have, and that it still is in
// its queue; otherwise no signal was sent.
constexpr std::int32_t kSigkill = 9;
constexpr std::int32_t kGroupExit = 4;  // SIGNAL_GROUP_EXIT
constexpr std::int32_t kSignalOfStatus = 0x7f;
constexpr std::int32_t kExiting = 4, kSignaled = 0x400;  // PF_EXITING, PF_SIGNALED
constexpr const char* kSignals = "signal_struct";

void jump_unless_told_to_end(StableCode& code, Label other) {
  code.emitter().jump_if_imm(Cond::kNe, code.word(kSignal), kSigkill, other);
  code.emitter().jump_if_imm(Cond::kNe, code.word(kInfo), 0, other);
}

Reg ending_signal(StableCode& code) {
  const Reg signal = code.member(code.current(), kTask, "signal->group_exit_code");
  code.emitter().alu_imm(Alu::kAnd, signal, kSignalOfStatus);
  return signal;
}

// Where the signals are that were sent to the whole process, and to this thread.
Reg queue_of_process(StableCode& code) {
  const Reg queue = code.member(code.current(), kTask, "signal");
  code.emitter().alu_imm(Alu::kAdd, queue, code.offset(kSignals, "shared_pending"));
  return queue;
}
Reg queue_of_thread(StableCode& code) {
  const Reg queue = code.current();
  code.emitter().alu_imm(Alu::kAdd, queue, code.offset(kTask, "pending"));
  return queue;
}

// Bit N - 1 of a queue's set is signal N.
void jump_if_queued(StableCode& code, Reg queue, Label queued) {
  constexpr std::int32_t kBitsOfByte = 8;
  Emitter& e = code.emitter();
  const Reg bit = ending_signal(code), at = e.reg();
  e.alu_imm(Alu::kSub, bit, 1);
  e.mov(at, bit);
  e.alu_imm(Alu::kRsh, at, 3);
  e.alu(Alu::kAdd, at, queue);
  e.alu_imm(Alu::kAdd, at, code.offset("sigpending", "signal"));
  const Reg byte = code.byte(at, 0);
  e.alu_imm(Alu::kAnd, bit, kBitsOfByte - 1);
  e.alu(Alu::kRsh, byte, bit);
  e.jump_if_imm(Cond::kSet, byte, 1, queued);
}

// One of the process is handled by its first thread, or by those that are left if that has
// ended of its own accord. SIGKILL is in the queue of every thread.
void signal_is_handled(StableCode& code, Label leave) {
  Emitter& e = code.emitter();
  const Label is_one = e.label(), of_process = e.label();
  jump_unless_told_to_end(code, is_one);
  const Reg flags = code.member(code.current(), kTask, "signal->flags");
  e.alu_imm(Alu::kAnd, flags, kGroupExit);
  e.jump_if_imm(Cond::kEq, flags, 0, leave);
  const Reg signal = ending_signal(code);
  e.jump_if_imm(Cond::kEq, signal, 0, leave);
  e.jump_if_imm(Cond::kEq, signal, kSigkill, of_process);
  jump_if_queued(code, queue_of_thread(code), is_one);
  jump_if_queued(code, queue_of_process(code), of_process);
  e.jump(leave);
  e.bind(of_process);
  const Reg first = code.member(code.current(), kTask, "group_leader");
  e.jump_if(Cond::kEq, first, code.current(), is_one);
  const Reg ends = code.member(first, kTask, "flags");
  e.jump_if_imm(Cond::kSet, ends, kSignaled, leave);
  e.alu_imm(Alu::kAnd, ends, kExiting);
  e.jump_if_imm(Cond::kEq, ends, 0, leave);
  e.bind(is_one);
}

Reg handled_number(StableCode& code) {
  Emitter& e = code.emitter();
  const Label done = e.label();
  const Reg signal = code.word(kSignal);
  jump_unless_told_to_end(code, done);
  e.mov(signal, ending_signal(code));
  e.bind(done);
  return signal;
}

// What was sent with it, if it is among the first in its queue.
Reg handled_info(StableCode& code) {
  constexpr int kLooks = 4;
  Emitter& e = code.emitter();
  const Label done = e.label(), none = e.label(), of_thread = e.label();
  const Reg info = code.word(kInfo), queue = e.reg();
  jump_unless_told_to_end(code, done);
  const Reg signal = ending_signal(code);
  e.mov(queue, queue_of_thread(code));
  jump_if_queued(code, queue, of_thread);
  e.mov(queue, queue_of_process(code));
  e.bind(of_thread);
  e.alu_imm(Alu::kAdd, queue, code.offset("sigpending", "list"));
  const Reg at = e.reg();
  e.mov(at, queue);
  for (int i = 0; i < kLooks; ++i) {
    e.mov(at, code.member(at, "list_head", "next"));
    e.jump_if(Cond::kEq, at, queue, none);
    e.mov(info, at);
    e.alu_imm(Alu::kAdd, info, code.offset("sigqueue", "info") - code.offset("sigqueue", "list"));
    e.jump_if(Cond::kEq, code.member(info, "kernel_siginfo", "si_signo"), signal, done);
  }
  e.bind(none);
  e.mov_imm(info, 0);
  e.bind(done);
  return info;
}

Reg handled_signal(StableCode& code, std::uint32_t n) {
  if (n == kSignal) return handled_number(code);
  if (n == kInfo) return handled_info(code);
  return code.member(code.word(2), "k_sigaction", "sa.sa_handler");
}

constexpr std::int32_t kSigill = 4, kSigtrap = 5, kSigbus = 7, kSigfpe = 8, kSigsegv = 11;
constexpr std::int32_t kNoInfo = 1;  // up to this, the siginfo is a number

// An exception of the CPU: the kernel sends the thread that runs a signal of its
// own making, with an address or a reason.
void cpu_faults(StableCode& code, Label leave) {
  Emitter& e = code.emitter();
  const Label is_one = e.label();
  e.jump_if(Cond::kNe, code.word(kReceiver), code.current(), leave);
  e.jump_if_imm(Cond::kLe, code.word(kInfo), kNoInfo, leave);
  e.jump_if_imm(Cond::kSle, code.member(code.word(kInfo), "kernel_siginfo", "si_code"), 0, leave);
  const Reg signal = code.word(kSignal);
  for (const std::int32_t one : {kSigill, kSigtrap, kSigbus, kSigfpe, kSigsegv}) {
    e.jump_if_imm(Cond::kEq, signal, one, is_one);
  }
  e.jump(leave);
  e.bind(is_one);
}

// The codes of <sys/fault.h>, which lib/siginfo.d names.
Reg fault_code(StableCode& code, std::uint32_t n) {
  if (n == 1) return code.word(kInfo);
  constexpr std::int32_t kTrace = 2, kDivision = 1;  // TRAP_TRACE, FPE_INTDIV
  struct Code {
    std::int32_t signal, code, other;
    std::int32_t reason;  // the si_code of `code`
  };
  constexpr Code kCodes[] = {{kSigill, 1, 1, 0},
                             {kSigtrap, 4, 3, kTrace},
                             {kSigbus, 5, 5, 0},
                             {kSigfpe, 8, 9, kDivision},
                             {kSigsegv, 6, 6, 0}};
  Emitter& e = code.emitter();
  const Label done = e.label();
  const Reg reason = code.member(code.word(kInfo), "kernel_siginfo", "si_code");
  const Reg signal = code.word(kSignal);
  const Reg fault = e.reg();
  e.mov_imm(fault, 0);
  for (const Code& one : kCodes) {
    const Label next = e.label();
    e.jump_if_imm(Cond::kNe, signal, one.signal, next);
    e.mov_imm(fault, one.other);
    e.jump_if_imm(Cond::kNe, reason, one.reason, done);
    e.mov_imm(fault, one.code);
    e.jump(done);
    e.bind(next);
  }
  e.bind(done);
  return fault;
}

}  // namespace

std::unique_ptr<Provider> proc_provider(const types::Catalog& types) {
  const probe::Argument siginfo = {"siginfo_t *", false, kNativeSiginfo, 1};
  const std::vector<probe::Argument> receiver = {kLwpsinfo, kPsinfo, {"int", false, "int", 1}};
  return stable_provider(
      "proc", types,
      {
          {"create", "sched_process_fork", process_is_made, {kPsinfo}, child},
          {"exec", "sys_enter", exec_begins, {{"string", false, "userland char *"}}, exec_path},
          {"exec-failure", "sys_exit", exec_fails, {kNumber}, error_of_result},
          {"exec-success", "sched_process_exec"},
          {"lwp-exit", "sched_process_exit"},
          {"exit", "sched_process_exit", process_ends, {kNumber}, end_reason},
          {"fault", "signal_generate", cpu_faults, {kNumber, siginfo}, fault_code},
          {"lwp-create", "sched_process_fork", thread_is_made, {kLwpsinfo, kPsinfo}, child},
          {"start", "sys_exit", process_starts},  // before the first thread's lwp-start
          {"lwp-start", "sys_exit", thread_starts},
          {"signal-clear", "sys_exit", signal_is_taken, {kNumber}, result},
          {"signal-discard", "signal_generate", signal_is_discarded, receiver, receiver_and_signal},
          {"signal-handle",
           "signal_deliver",
           signal_is_handled,
           {kNumber, siginfo, {"void *", true, "void *", 2}},
           handled_signal},
          {"signal-send", "signal_generate", signal_is_sent, receiver, receiver_and_signal},
      });
}

}  // namespace dt::provider

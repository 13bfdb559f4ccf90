// The sched provider: threads that leave CPUs, and threads that are woken.
//
//   off-cpu, sleep, preempt    sched_switch, in the thread that leaves
//   on-cpu                     sched_switch, for the next one, which does not run yet
//   resume                     sched_exit_tp (Linux 6.15), in a thread that runs again; not when a
//                              new thread runs for the first time
//   wakeup                     sched_waking, in the one that wakes
//   enqueue                    sched_wakeup and sched_wakeup_new, in the one that wakes or forks;
//                              sched_switch, in the thread that leaves and could go on
//   dequeue                    sched_switch, for the next one
//
// A thread that runs is on no queue, as in other systems, though Linux keeps it in the queue's
// count. So every thread that gets a CPU is dequeued, and each has been enqueued as often.
//
// What has no tracepoint that fires in the right thread is not there: change-pri, tick.

#include "provider/mechanism/providers.h"
#include "provider/mechanism/stable.h"

namespace dt::provider {

namespace {

using bpf::Cond;
using bpf::Emitter;
using bpf::Label;
using bpf::Reg;

// sched_switch: { preempted?, the thread that leaves, the next one, and since
// Linux 5.18 the state of the one that leaves }.
enum Switch : std::uint32_t { kPreempted, kLeaving, kNext, kState };

constexpr std::int32_t kAsleep = 3;  // TASK_INTERRUPTIBLE | TASK_UNINTERRUPTIBLE

Reg state(StableCode& code) {
  return code.has_word(kState) ? code.word(kState)
                               : code.member(code.word(kLeaving), "task_struct", "__state");
}

void falls_asleep(StableCode& code, Label leave) {
  Emitter& e = code.emitter();
  const Label may = e.label();
  e.jump_if_imm(Cond::kNe, code.word(kPreempted), 0, leave);
  e.jump_if_imm(Cond::kSet, state(code), kAsleep, may);
  e.jump(leave);
  e.bind(may);
}

// The thread could go on: in the kernel it is preempted, and on its way to user
// land, or by sched_yield(), it leaves in the state of a running one. The idle
// thread, whose number is 0, always does.
void is_preempted(StableCode& code, Label leave) {
  Emitter& e = code.emitter();
  const Label is_one = e.label();
  e.jump_if_imm(Cond::kEq, code.member(code.word(kLeaving), "task_struct", "pid"), 0, leave);
  e.jump_if_imm(Cond::kNe, code.word(kPreempted), 0, is_one);
  e.jump_if_imm(Cond::kNe, state(code), 0, leave);
  e.bind(is_one);
}

// sched_wakeup and sched_wakeup_new: { the thread }; of sched_switch, only what has a place in the
// same word is read, which is no address, and the thread that leaves is the one that runs.
Reg queued_thread(StableCode& code) {
  Emitter& e = code.emitter();
  const Label is_woken = e.label();
  const Reg thread = e.reg();
  e.mov(thread, code.word(0));
  e.jump_if_imm(Cond::kGt, thread, 1, is_woken);
  e.mov(thread, code.current());
  e.bind(is_woken);
  return thread;
}

// A thread that is woken while it runs, on its way to sleep or by itself, is not on a queue yet.
void is_queued(StableCode& code, Label leave) {
  Emitter& e = code.emitter();
  const Label leaves = e.label(), is_one = e.label();
  e.jump_if_imm(Cond::kLe, code.word(0), 1, leaves);
  e.jump_if_imm(Cond::kNe, code.member(code.word(0), "task_struct", "on_cpu"), 0, leave);
  e.jump(is_one);
  e.bind(leaves);
  e.jump_if_imm(Cond::kEq, code.member(code.current(), "task_struct", "pid"), 0, leave);
  e.jump_if_imm(Cond::kNe, code.word(0), 0, is_one);
  e.jump_if_imm(Cond::kNe, code.member(code.current(), "task_struct", "__state"), 0, leave);
  e.bind(is_one);
}

void is_no_idle_thread(StableCode& code, Label leave) {
  code.emitter().jump_if_imm(Cond::kEq, code.member(code.word(kNext), "task_struct", "pid"), 0,
                             leave);
}

// sched_exit_tp: { whether another thread has run meanwhile }. A bool is the low byte of its word.
void has_switched(StableCode& code, Label leave) {
  Emitter& e = code.emitter();
  const Label is_one = e.label();
  e.jump_if_imm(Cond::kSet, code.word(0), 1, is_one);
  e.jump(leave);
  e.bind(is_one);
}

// The thread and the CPU whose queue it is.
Reg cpu_of(StableCode& code, Reg thread) {
  return code.member(thread, "task_struct", "thread_info.cpu");
}
Reg enqueued(StableCode& code, std::uint32_t n) {
  const Reg thread = queued_thread(code);
  return n == 0 ? thread : cpu_of(code, thread);
}
Reg dequeued(StableCode& code, std::uint32_t n) {
  const Reg thread = code.word(kNext);
  return n == 0 ? thread : cpu_of(code, thread);
}

Reg next_thread(StableCode& code, std::uint32_t) { return code.word(kNext); }
Reg woken_thread(StableCode& code, std::uint32_t) { return code.word(0); }

}  // namespace

std::unique_ptr<Provider> sched_provider(const types::Catalog& types) {
  const std::vector<probe::Argument> thread = {
      {"lwpsinfo_t *", false, "struct task_struct *", 0},
      {"psinfo_t *", false, "struct task_struct *", 0},
  };
  std::vector<probe::Argument> queue = thread;
  queue.push_back({"cpuinfo_t *", false, "int", 1});
  return stable_provider("sched", types,
                         {
                             {"preempt", "sched_switch", is_preempted},
                             {"sleep", "sched_switch", falls_asleep},
                             {.name = "enqueue",
                              .tracepoint = "sched_wakeup",
                              .enter = is_queued,
                              .arguments = queue,
                              .argument = enqueued,
                              .also = {"sched_wakeup_new", "sched_switch"}},
                             {"dequeue", "sched_switch", is_no_idle_thread, queue, dequeued},
                             {"off-cpu", "sched_switch", nullptr, thread, next_thread},
                             {.name = "on-cpu", .tracepoint = "sched_switch", .thread = kNext},
                             {"resume", "sched_exit_tp", has_switched},
                             {"wakeup", "sched_waking", nullptr, thread, woken_thread},
                         },
                         {
                             {"change-pri", "the kernel has no tracepoint for it"},
                             {"remain-cpu", "the kernel has no tracepoint for it"},
                             {"load-change", "the kernel has no tracepoint for it"},
                             {"tick", "it is a timer of each CPU: profile-97 samples them"},
                         });
}

}  // namespace dt::provider

// The sched provider: threads that leave CPUs, and threads that are woken.
//
//   off-cpu, sleep, preempt    sched_switch, in the thread that leaves
//   on-cpu                     sched_switch, for the next one, which does not run yet
//   wakeup                     sched_waking, in the one that wakes
//
// What has no tracepoint that fires in the right thread is not there: enqueue,
// dequeue, change-pri, tick.

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

Reg next_thread(StableCode& code, std::uint32_t) { return code.word(kNext); }
Reg woken_thread(StableCode& code, std::uint32_t) { return code.word(0); }

}  // namespace

std::unique_ptr<Provider> sched_provider(const types::Catalog& types) {
  const std::vector<probe::Argument> thread = {
      {"lwpsinfo_t *", false, "struct task_struct *", 0},
      {"psinfo_t *", false, "struct task_struct *", 0},
  };
  const std::string no_queue = "the kernel has no tracepoint for the queues of CPUs";
  return stable_provider("sched", types,
                         {
                             {"off-cpu", "sched_switch", nullptr, thread, next_thread},
                             {.name = "on-cpu", .tracepoint = "sched_switch", .thread = kNext},
                             {"preempt", "sched_switch", is_preempted},
                             {"sleep", "sched_switch", falls_asleep},
                             {"wakeup", "sched_waking", nullptr, thread, woken_thread},
                         },
                         {
                             {"enqueue", no_queue},
                             {"dequeue", no_queue},
                         });
}

}  // namespace dt::provider

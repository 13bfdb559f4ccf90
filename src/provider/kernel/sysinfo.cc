// The sysinfo provider: what the system's statistics count, where it is counted.
//
//   sysread, syswrite, sysexec, msg, sema    sys_enter of these calls
//   readch, writech                          sys_exit of the same
//   pswitch, inv_swtch                       sched_switch, in the thread that leaves
//   nthreads                                 sched_process_fork, in the one that makes it
//   sysfork, sysvfork                        task_newtask, by the flags of the call
//   xcalls                                   csd_queue_cpu, once for each CPU that is called
//   modload, modunload                       module_load, module_free
//
// arg0 is what is added. Linux keeps no such statistics, so arg1, which is the
// place of one elsewhere, is 0.

#include "provider/mechanism/providers.h"
#include "provider/mechanism/stable.h"
#include "provider/mechanism/stable_call.h"

namespace dt::provider {

namespace {

using bpf::Cond;
using bpf::Emitter;
using bpf::Label;
using bpf::Reg;

constexpr CallNumbers kRead[] = {{0, x32(0), 3},
                                 {17, x32(17), 180},     // pread64
                                 {19, x32(515), 145},    // readv
                                 {295, x32(534), 333},   // preadv
                                 {327, x32(546), 378}};  // preadv2
constexpr CallNumbers kWrite[] = {{1, x32(1), 4},
                                  {18, x32(18), 181},     // pwrite64
                                  {20, x32(516), 146},    // writev
                                  {296, x32(535), 334},   // pwritev
                                  {328, x32(547), 379}};  // pwritev2
constexpr CallNumbers kExec[] = {{59, x32(520), 11}, {322, x32(545), 358}};
constexpr CallNumbers kMessage[] = {{69, x32(69), 400}, {70, x32(70), 401}};
// semop and semtimedop; of 32 bits, with a time of 64.
constexpr CallNumbers kSemaphore[] = {{65, x32(65), -1}, {220, x32(220), 420}};

void reads(StableCode& code, Label leave) { leave_unless_call(code, kRead, leave); }
void writes(StableCode& code, Label leave) { leave_unless_call(code, kWrite, leave); }
void executes(StableCode& code, Label leave) { leave_unless_call(code, kExec, leave); }
void passes_message(StableCode& code, Label leave) { leave_unless_call(code, kMessage, leave); }
void uses_semaphore(StableCode& code, Label leave) { leave_unless_call(code, kSemaphore, leave); }

constexpr std::uint32_t kResult = 1;  // of sys_exit

void has_read(StableCode& code, Label leave) {
  code.emitter().jump_if_imm(Cond::kSlt, code.word(kResult), 0, leave);
  reads(code, leave);
}
void has_written(StableCode& code, Label leave) {
  code.emitter().jump_if_imm(Cond::kSlt, code.word(kResult), 0, leave);
  writes(code, leave);
}

// sched_switch: { preempted?, the thread that leaves, the next one, and since
// Linux 5.18 the state of the one that leaves }.
enum Switch : std::uint32_t { kPreempted, kLeaving, kNext, kState };

// It could go on, and is no idle thread: those have the number 0.
void is_made_to_leave(StableCode& code, Label leave) {
  Emitter& e = code.emitter();
  const Label is_one = e.label();
  e.jump_if_imm(Cond::kEq, code.member(code.word(kLeaving), "task_struct", "pid"), 0, leave);
  e.jump_if_imm(Cond::kNe, code.word(kPreempted), 0, is_one);
  const Reg state = code.has_word(kState)
                        ? code.word(kState)
                        : code.member(code.word(kLeaving), "task_struct", "__state");
  e.jump_if_imm(Cond::kNe, state, 0, leave);
  e.bind(is_one);
}

// task_newtask: { the new thread, clone()'s flags }. Threads of the kernel that make others do not
// call fork().
constexpr std::int32_t kIsOfKernel = 0x00200000;                      // PF_KTHREAD
constexpr std::int32_t kMakesThread = 0x10000, kMakerWaits = 0x4000;  // CLONE_THREAD, CLONE_VFORK

void leave_unless_process(StableCode& code, Label leave) {
  Emitter& e = code.emitter();
  e.jump_if_imm(Cond::kSet, code.member(code.current(), "task_struct", "flags"), kIsOfKernel,
                leave);
  e.jump_if_imm(Cond::kSet, code.word(1), kMakesThread, leave);
}
void forks(StableCode& code, Label leave) {
  leave_unless_process(code, leave);
  code.emitter().jump_if_imm(Cond::kSet, code.word(1), kMakerWaits, leave);
}
void forks_and_waits(StableCode& code, Label leave) {
  Emitter& e = code.emitter();
  const Label is_one = e.label();
  leave_unless_process(code, leave);
  e.jump_if_imm(Cond::kSet, code.word(1), kMakerWaits, is_one);
  e.jump(leave);
  e.bind(is_one);
}

// csd_queue_cpu: { the CPU, where, the function, the call }. A thread that is put on the queue of
// another CPU goes the same way, and is no call.
void calls_cpu(StableCode& code, Label leave) {
  constexpr std::uint32_t kCall = 3;
  constexpr std::int32_t kKind = 0xf0, kWakes = 0x30;  // CSD_FLAG_TYPE_MASK, CSD_TYPE_TTWU
  Emitter& e = code.emitter();
  const Reg kind = code.member(code.word(kCall), "__call_single_data", "node.u_flags");
  e.alu_imm(bpf::Alu::kAnd, kind, kKind);
  e.jump_if_imm(Cond::kEq, kind, kWakes, leave);
}

Reg one(StableCode& code, std::uint32_t n) { return code.emitter().imm(n == 0 ? 1 : 0); }
Reg bytes(StableCode& code, std::uint32_t n) {
  return n == 0 ? code.word(kResult) : code.emitter().imm(0);
}

}  // namespace

std::unique_ptr<Provider> sysinfo_provider(const types::Catalog& types) {
  const std::vector<probe::Argument> added = {{"uint64_t", false}, {"uint64_t *", false}};
  return stable_provider("sysinfo", types,
                         {
                             {"inv_swtch", "sched_switch", is_made_to_leave, added, one},
                             {"modload", "module_load", nullptr, added, one},
                             {"modunload", "module_free", nullptr, added, one},
                             {"msg", "sys_enter", passes_message, added, one},
                             {"nthreads", "sched_process_fork", nullptr, added, one},
                             {"pswitch", "sched_switch", nullptr, added, one},
                             {"readch", "sys_exit", has_read, added, bytes},
                             {"sema", "sys_enter", uses_semaphore, added, one},
                             {"sysexec", "sys_enter", executes, added, one},
                             {"sysfork", "task_newtask", forks, added, one},
                             {"sysread", "sys_enter", reads, added, one},
                             {"sysvfork", "task_newtask", forks_and_waits, added, one},
                             {"syswrite", "sys_enter", writes, added, one},
                             {"writech", "sys_exit", has_written, added, bytes},
                             {"xcalls", "csd_queue_cpu", calls_cpu, added, one},
                         });
}

}  // namespace dt::provider

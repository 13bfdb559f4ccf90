#pragma once
// Facts: what a firing may need but seldom does: the CPU and its block, the thread, its ids and its
// process. It is obtained at the first use in a clause and remembered for the blocks that this one
// dominates.

#include <cstdint>
#include <functional>
#include <map>
#include <utility>
#include <vector>

#include "bpf/routine/routine.h"
#include "bpf/select/value.h"

namespace dt::enabling {
struct ClauseBinding;
}

namespace dt::bpf {

class Emitter;
struct FunctionContext;
struct Unit;

class Facts {
 public:
  enum class Once : std::uint8_t {
    kCpu,
    kBlock,
    kPidTgid,
    kProcessNumber,
    kThreadNumber,
    kWalkedTask,
    kUidGid,
    kTask,
    kMm,
    kCommLow,
    kCommHigh,
    kEpid,
    kThreadId,
  };

  explicit Facts(FunctionContext& f);

  // What `make` yields, made at most once on every way through a clause.
  Reg once(Once what, const std::function<Reg()>& make);
  Reg cpu();
  // This CPU's block in the per-CPU map.
  Reg percpu_block();
  bool is_in_first_namespace() const;
  // In our namespace.
  Reg number_of(Reg at, NumberOf what);
  // Ids of processes and threads are below 2^22: no sign to extend. A call of a
  // helper is the dearest thing in most programs, and the task serves the name
  // and the thread's storage, too.
  Reg tgid();
  Reg tid();
  Reg task();
  // As a number.
  Reg task_address();
  // The group's number and the user's, in one word.
  Reg user_ids();
  // The task whose pointers are followed: see Machine::task_cast.
  Reg walked_task();
  // The memory of the task's process.
  Reg mm();
  Reg load_control(std::uint32_t size, std::uint32_t offset);
  // The address of the registers as a number, which a fault can report. (A program may subtract two
  // pointers, and the address of the task is known as a number.)
  Reg user_registers();
  Reg epid();
  // The EPID of one of the layouts of a clause that serves the slot.
  Reg epid_of(const enabling::ClauseBinding& binding, std::uint32_t layout = 0);
  // A copy of the slot behind a comparison with the number of slots, from which the verifier
  // knows that the copy is in range.
  Reg checked_slot();
  // values[slot]: a constant, slot + constant, or a table in rodata.
  Reg by_slot(const std::vector<std::uint32_t>& values);
  // What tells this thread from all others, those that have ended included: the
  // thread id, which no two living threads share, above the microsecond (of
  // 1,024 ns) at which the thread started. If the kernel has no such time, the
  // address of the thread's task_struct takes its place.
  Reg thread_identity();
  // Notes that `reg` holds the fact from here on.
  void note(Once what, Reg reg);

 private:
  Reg pid_tgid();

  FunctionContext& f_;
  Unit& unit_;
  Emitter& e_;
  std::map<std::pair<Once, std::uint32_t>, std::vector<std::pair<ir::BlockId, Reg>>> once_;
};

}  // namespace dt::bpf

#pragma once
// Builtins: the built-in variables.

#include <cstdint>
#include <vector>

#include "bpf/select/part.h"
#include "bpf/select/value.h"

namespace dt::bpf {

class Follow;
class ProbeNames;
class Processes;
class Stacks;
class ThreadStorage;

class Builtins : SelectionPart {
 public:
  Builtins(const Core& core, ThreadStorage& tls, ProbeNames& probe_names, Follow& follow,
           Processes& processes, Stacks& stacks);

  // Defines inst.result. Integers become a register, texts a place in memory; nothing is read
  // before it is asked for here.
  void builtin(const ir::Inst& inst);
  // At some probes (sched:::on-cpu) the thread that the script means is not the current one of the
  // CPU. What can be found only for the current thread is refused there, with the name of the
  // variable.
  void refuse_at_other_thread(const ir::Inst& inst);
  // Before the first block: sets the register that says whether the clock has been read.
  void begin_clock();
  // Behind chill(): the clocks are read again.
  void restart_clock();

 private:
  void execname(const ir::Inst& inst);
  void vtimestamp(const ir::Inst& inst);
  enum class Half : std::uint8_t { kLow, kHigh };
  Reg half_of(Reg pair, Half which, bool is_signed);
  Reg now();
  Reg wall_time();
  void read_clock();
  Reg argument(std::uint32_t number);
  Reg error_number();
  Reg parent(const ir::Inst& inst);
  Reg kernel_register(const ir::Inst& inst);

  ThreadStorage& tls_;
  ProbeNames& probe_names_;
  Follow& follow_;
  Processes& processes_;
  Stacks& stacks_;
  Reg time_;  // when the clock was first read in this firing, 0 before that
  std::vector<ir::BlockId> time_points_;
  bool restarts_ = false;  // some instruction of this function restarts the clock
};

}  // namespace dt::bpf

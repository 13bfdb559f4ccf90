#pragma once
// Effects: what a clause does to others: signals, waiting, the end of tracing, the ids of
// speculations.

#include "bpf/select/part.h"
#include "bpf/select/value.h"

namespace dt::bpf {

class Effects : SelectionPart {
 public:
  explicit Effects(const Core& core) : SelectionPart(core) {}

  void signal(const ir::Inst& inst);
  void chill(const ir::Inst& inst);
  void exit(const ir::Inst& inst);
  void begin_speculation(const ir::Inst& inst);
  void speculation_in_use(const ir::Inst& inst);
  void end_speculation(const ir::Inst& inst);
  void fault(const ir::Inst& inst);
};

}  // namespace dt::bpf

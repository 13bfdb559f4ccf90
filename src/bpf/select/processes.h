#pragma once
// Processes: what is found by following the task: its ancestors and arguments.

#include <cstdint>

#include "bpf/select/part.h"
#include "bpf/select/value.h"

namespace dt::bpf {

class Loads;

class Processes : SelectionPart {
 public:
  Processes(const Core& core, Loads& loads);

  void random(const ir::Inst& inst);
  void seen_number(const ir::Inst& inst);
  void progeny_of(const ir::Inst& inst);
  // The strings from mm->arg_start to mm->arg_end. Empty for a thread of the
  // kernel and where the memory is not there: like any built-in it cannot fault.
  void execargs(const ir::Inst& inst);

 private:
  void blank_nuls(Reg text, Reg length, std::uint32_t bytes);

  Loads& loads_;
};

}  // namespace dt::bpf

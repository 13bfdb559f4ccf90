#pragma once
// Loads: reading memory of the kernel and of the process.
//
// The plain helpers read the kernel's memory, or the process's at an address in
// the lower half (where the halves do not overlap: x86-64, arm64).

#include <functional>

#include "bpf/routine/user_memory.h"
#include "bpf/select/part.h"
#include "bpf/select/value.h"

namespace dt::bpf {

class Follow;

class Loads : SelectionPart {
 public:
  Loads(const Core& core, Follow& follow);

  Reg read_foreign(const ForeignRead& read);
  void load_string(const ir::Inst& inst);
  void load_text(const ir::Inst& inst);
  void try_load(const ir::Inst& inst);
  void load_bytes(const ir::Inst& inst);
  void load_integer(const ir::Inst& inst);

 private:
  void read_without_end(const ir::Inst& inst, const ForeignRead& text, Reg length, Label bad);
  void probe_text(const ir::Inst& inst);
  void ask_if_zero(const ir::Inst& inst, Reg value, const std::function<void()>& ask,
                   const std::function<void()>& found);

  Follow& follow_;
};

}  // namespace dt::bpf

#pragma once
// FunctionSpec: what is particular to one function of a program.

#include <cstdint>
#include <functional>
#include <vector>

#include "bpf/asm/emitter.h"
#include "enabling/plan.h"
#include "ir/ir.h"
#include "probe/probe.h"

namespace dt::bpf {

struct Firing;  // firing.h

// What is particular to one function.
struct FunctionSpec {
  const std::vector<enabling::ClauseBinding>* bindings = nullptr;  // as given to fuse()
  std::vector<probe::Probe> probes;                                // by slot
  Reg context;
  Reg slot;  // not valid when there is one slot only
  Reg task;  // the current task, where it is known already
  std::function<Reg(std::uint32_t)> argument;
  std::function<Reg()> error_number;
  std::function<Reg(std::uint32_t)> kernel_register;
  std::uint32_t calls = 0;  // how many calls below main this function is
  bool is_error = false;    // the fault subprogram
  // By clause: whether the firing may have called exit() when it comes to the clause, which
  // then does not run, nor does any behind it.
  std::vector<bool> ends_on_exit;
  Reg number;  // of the firing that faulted, there
  // A part of a program (parts.h): what its firing keeps in the frame, and the
  // frame's number. Then the functions above are not called.
  const Firing* firing = nullptr;
  Reg frame_index;
  bool has_slot = false;  // in the frame
};

// Whether the instruction cannot be made without the program's context, but for
// what the prologue takes from there: arguments, errno and registers.
bool needs_context(const ir::Inst& inst);

}  // namespace dt::bpf

#pragma once
// Stacks: frames of the kernel and of the process, and what stands for them in the keys of
// aggregations.

#include <cstdint>

#include "bpf/select/part.h"
#include "bpf/select/value.h"

namespace dt::bpf {

class Maps;

class Stacks : SelectionPart {
 public:
  Stacks(const Core& core, Maps& maps);

  void stack(const ir::Inst& inst);
  void user_address(const ir::Inst& inst);
  // The address in frame `which`, 0 where the stack is shorter.
  Reg one_frame(bool user, std::uint32_t which);
  Reg depth(bool user);
  // The number of the frames in their table, where they are entered when they are
  // new; 0 when there is no room. `drained` says of which table.
  Reg stack_number(Place frames, std::uint32_t bytes, Reg generation, bool drained);

 private:
  Reg stack_flags(bool user);
  Place frames_buffer(std::uint32_t bytes, std::uint32_t last_use, bool user);
  Reg frames_to(Place frames, std::uint32_t bytes, bool user, bool with_sources = false);
  void unwind_sources(Place frames, std::uint32_t bytes, Place state, Reg cache, Reg status);

  Maps& maps_;
};

}  // namespace dt::bpf

#pragma once
// Scratch: scratch memory, what alloca() and copyin() give out.
//
// It is a region of the firing's frame (frame.h), so a firing that was
// interrupted finds its own as it was, and its addresses are those of the map's
// value, which every read of kernel memory can follow.
//
// A place to write is a number that a script computed. It is compared with the
// region's address, and what is written is the frame's own pointer plus the
// difference, whose range the verifier knows.

#include "bpf/select/part.h"
#include "bpf/select/value.h"

namespace dt::bpf {

class Loads;

class Scratch : SelectionPart {
 public:
  Scratch(const Core& core, Loads& loads);

  void alloca_scratch(const ir::Inst& inst);
  void copy_to_scratch(const ir::Inst& inst);
  void store_scratch(const ir::Inst& inst);
  void copy_out(const ir::Inst& inst);

 private:
  Reg scratch_size(ir::ValueId id, Label too_large);
  Reg scratch_pointer(Reg region, Reg offset);
  Reg scratch_place(ir::ValueId to, Reg size, Label bad);
  Reg global_place(ir::ValueId to, Reg size, Label bad);

  Loads& loads_;
};

}  // namespace dt::bpf

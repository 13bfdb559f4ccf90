#pragma once
// Integers: arithmetic and comparisons, and branches on them.

#include "bpf/select/part.h"
#include "bpf/select/value.h"

namespace dt::bpf {

class Follow;

class Integers : SelectionPart {
 public:
  Integers(const Core& core, Follow& follow);

  void integer(const ir::Inst& inst);
  void divide(const ir::Inst& inst);
  void compare(const ir::Inst& inst);
  // Jumps to `to` when the condition is (`when`) true or false.
  void branch_on(ir::ValueId condition, Label to, bool when);

 private:
  Reg is_equal(ir::ValueId a, ir::ValueId b);
  Reg is_less(ir::ValueId a, ir::ValueId b, bool is_signed);
  void compare_jump(const ir::Inst& inst, Label to, bool when);

  Follow& follow_;
};

}  // namespace dt::bpf

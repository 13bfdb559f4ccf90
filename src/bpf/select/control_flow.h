#pragma once
// ControlFlow: the blocks of a function in order, which is the order of the clauses, and the ways
// from block to block.
//
// Cold code (faults, drops) is written at the end of its clause, away from the hot path.

#include <functional>

#include "bpf/select/part.h"
#include "bpf/select/value.h"
#include "ir/function.h"

namespace dt::bpf {

class Integers;

class ControlFlow : SelectionPart {
 public:
  // `select` writes the code of one instruction.
  ControlFlow(const Core& core, Integers& integers, std::function<void(const ir::Inst&)> select);

  void write_blocks();

 private:
  void hoist_shared();
  void select_block(ir::BlockId block);
  void end_on_exit(ir::BlockId block);
  void select_end(ir::BlockId block);
  void guard(ir::BlockId block);
  void go(const ir::Target& target, ir::BlockId next_in_line);
  void pass(const ir::Target& target);
  void prepare_to_pass(const ir::Terminator& end);
  void flush_cold();

  Integers& integers_;
  std::function<void(const ir::Inst&)> select_;
};

}  // namespace dt::bpf

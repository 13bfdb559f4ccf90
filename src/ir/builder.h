#pragma once
// FunctionBuilder: what a front-end writes a clause's body with.
//
// Blocks may be created in any order and need not be reached; finish() sorts
// them so that every jump goes forward and drops those that nothing reaches.

#include <cstdint>
#include <initializer_list>
#include <vector>

#include "ir/ir.h"

namespace dt::ir {

class FunctionBuilder {
 public:
  // Starts with the entry block, which is current.
  FunctionBuilder();

  BlockId block();                          // a new block; not made current
  ValueId param(BlockId block, Type type);  // its next parameter
  void enter(BlockId block);                // instructions go there from now on
  BlockId current() const { return current_; }
  // True once the current block has its terminator; what follows is unreachable.
  bool ended() const { return ended_[current_]; }

  // What instructions carry from now on.
  void at(Span span) { span_ = span; }
  void action(std::uint32_t action) { action_ = action; }

  // Appends an instruction, with span, action and result filled in; returns
  // the result, or kNone when inst.type is void.
  ValueId add(Inst inst);

  ValueId constant(std::int64_t value, Type type = Type::s64());
  ValueId builtin(Builtin builtin, std::int64_t imm = 0);
  ValueId string(std::uint32_t index, Type type);  // Program::strings[index]
  ValueId unary(Op op, ValueId a, Type type);
  ValueId binary(Op op, ValueId a, ValueId b, Type type);
  // Truncates to `type` and extends.
  ValueId extend(ValueId a, Type type) { return unary(Op::kExtend, a, type); }
  ValueId load(std::uint32_t variable, Type type, std::vector<ValueId> keys = {});
  void store(std::uint32_t variable, std::vector<ValueId> keys_and_value);
  void atomic_add(std::uint32_t variable, std::vector<ValueId> keys_and_delta);
  void aggregate(std::uint32_t aggregation, std::vector<ValueId> args);
  void emit(std::vector<ValueId> fields, std::uint32_t layout = 0);
  void exit(ValueId status);
  void fault(record::Fault fault);

  // Terminators of the current block; a second one in a block is not kept.
  void jump(BlockId to, std::vector<ValueId> args = {});
  void branch(ValueId condition, BlockId then, BlockId otherwise);
  void branch(ValueId condition, Target then, Target otherwise);
  void ret();

  Type type_of(ValueId value) const { return types_[value]; }

  // The finished function; a block without a terminator returns.
  Function finish();

 private:
  void end(Terminator terminator);

  Function fn_;
  std::vector<bool> ended_;  // by block
  std::vector<Type> types_;  // by value
  BlockId current_ = 0;
  Span span_;
  std::uint32_t action_ = 0;
};

// Sorts blocks so that every jump goes forward (a branch's `then` as near as
// possible) and drops those that the entry does not reach.
void order_blocks(Function& fn);

}  // namespace dt::ir

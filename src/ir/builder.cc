// FunctionBuilder and the order of blocks.

#include "ir/builder.h"

#include <algorithm>
#include <utility>

#include "support/check.h"

namespace dt::ir {

FunctionBuilder::FunctionBuilder() { block(); }

BlockId FunctionBuilder::block() {
  fn_.blocks.emplace_back();
  ended_.push_back(false);
  return static_cast<BlockId>(fn_.blocks.size() - 1);
}

ValueId FunctionBuilder::param(BlockId block, Type type) {
  const ValueId id = fn_.value_count++;
  types_.push_back(type);
  fn_.blocks[block].params.push_back({id, type});
  return id;
}

void FunctionBuilder::enter(BlockId block) {
  DT_CHECK(block < fn_.blocks.size(), "block {}", block);
  current_ = block;
}

ValueId FunctionBuilder::add(Inst inst) {
  inst.span = span_;
  inst.action = action_;
  inst.result = kNone;
  if (inst.type.kind != TypeKind::kVoid) {
    inst.result = fn_.value_count++;
    types_.push_back(inst.type);
  }
  const ValueId result = inst.result;
  // What follows a terminator cannot run: its values exist, in a block that
  // nothing reaches.
  if (ended()) enter(block());
  fn_.blocks[current_].insts.push_back(std::move(inst));
  return result;
}

ValueId FunctionBuilder::constant(std::int64_t value, Type type) {
  Inst inst;
  inst.op = Op::kConst;
  inst.type = type;
  inst.imm = value;
  return add(std::move(inst));
}

ValueId FunctionBuilder::builtin(Builtin builtin, std::int64_t imm) {
  Inst inst;
  inst.op = Op::kBuiltin;
  inst.builtin = builtin;
  inst.type = builtin_type(builtin);
  inst.imm = imm;
  return add(std::move(inst));
}

ValueId FunctionBuilder::string(std::uint32_t index, Type type) {
  Inst inst;
  inst.op = Op::kString;
  inst.type = type;
  inst.index = index;
  return add(std::move(inst));
}

ValueId FunctionBuilder::unary(Op op, ValueId a, Type type) {
  Inst inst;
  inst.op = op;
  inst.type = type;
  inst.args = {a};
  return add(std::move(inst));
}

ValueId FunctionBuilder::binary(Op op, ValueId a, ValueId b, Type type) {
  Inst inst;
  inst.op = op;
  inst.type = type;
  inst.args = {a, b};
  return add(std::move(inst));
}

ValueId FunctionBuilder::load(std::uint32_t variable, Type type, std::vector<ValueId> keys) {
  Inst inst;
  inst.op = Op::kLoad;
  inst.type = type;
  inst.index = variable;
  inst.args = std::move(keys);
  return add(std::move(inst));
}

void FunctionBuilder::store(std::uint32_t variable, std::vector<ValueId> keys_and_value) {
  Inst inst;
  inst.op = Op::kStore;
  inst.index = variable;
  inst.args = std::move(keys_and_value);
  add(std::move(inst));
}

void FunctionBuilder::atomic_add(std::uint32_t variable, std::vector<ValueId> keys_and_delta) {
  Inst inst;
  inst.op = Op::kAtomicAdd;
  inst.index = variable;
  inst.args = std::move(keys_and_delta);
  add(std::move(inst));
}

void FunctionBuilder::aggregate(std::uint32_t aggregation, std::vector<ValueId> args) {
  Inst inst;
  inst.op = Op::kAggregate;
  inst.index = aggregation;
  inst.args = std::move(args);
  add(std::move(inst));
}

void FunctionBuilder::emit(std::vector<ValueId> fields, std::uint32_t layout) {
  Inst inst;
  inst.op = Op::kEmit;
  inst.index = layout;
  inst.args = std::move(fields);
  add(std::move(inst));
}

void FunctionBuilder::exit(ValueId status) {
  Inst inst;
  inst.op = Op::kExit;
  inst.args = {status};
  add(std::move(inst));
}

void FunctionBuilder::fault(record::Fault fault) {
  Inst inst;
  inst.op = Op::kFault;
  inst.imm = static_cast<std::int64_t>(fault);
  add(std::move(inst));
}

void FunctionBuilder::jump(BlockId to, std::vector<ValueId> args) {
  end({Terminator::Kind::kJump, kNone, {to, std::move(args)}, {}});
}

void FunctionBuilder::branch(ValueId condition, BlockId then, BlockId otherwise) {
  branch(condition, Target{then, {}}, Target{otherwise, {}});
}

void FunctionBuilder::branch(ValueId condition, Target then, Target otherwise) {
  end({Terminator::Kind::kBranch, condition, std::move(then), std::move(otherwise)});
}

void FunctionBuilder::ret() { end({}); }

void FunctionBuilder::end(Terminator terminator) {
  if (ended()) return;
  fn_.blocks[current_].end = std::move(terminator);
  ended_[current_] = true;
}

Function FunctionBuilder::finish() {
  order_blocks(fn_);
  return std::move(fn_);
}

void order_blocks(Function& fn) {
  // Reverse postorder, iteratively. Visiting `otherwise` before `then` puts
  // `then` right behind its branch.
  const auto count = static_cast<std::uint32_t>(fn.blocks.size());
  std::vector<bool> seen(count, false);
  std::vector<BlockId> postorder;
  std::vector<std::pair<BlockId, int>> stack = {{0, 0}};
  seen[0] = true;
  while (!stack.empty()) {
    auto& [block, step] = stack.back();
    const Terminator& end = fn.blocks[block].end;
    BlockId next = kNone;
    if (step == 0 && end.kind == Terminator::Kind::kBranch) next = end.otherwise.block;
    if (step == 1 && end.kind != Terminator::Kind::kReturn) next = end.then.block;
    if (step == 2) {
      postorder.push_back(block);
      stack.pop_back();
      continue;
    }
    ++step;
    if (next == kNone || seen[next]) continue;
    seen[next] = true;
    stack.emplace_back(next, 0);
  }
  std::vector<BlockId> new_id(count, kNone);
  const std::size_t kept = postorder.size();
  for (std::size_t i = 0; i < kept; ++i) {
    new_id[postorder[kept - 1 - i]] = static_cast<BlockId>(i);
  }
  std::vector<Block> blocks(kept);
  for (BlockId old = 0; old < count; ++old) {
    if (new_id[old] == kNone) continue;
    Block& block = blocks[new_id[old]];
    block = std::move(fn.blocks[old]);
    if (block.end.kind == Terminator::Kind::kReturn) continue;
    block.end.then.block = new_id[block.end.then.block];
    if (block.end.kind == Terminator::Kind::kBranch) {
      block.end.otherwise.block = new_id[block.end.otherwise.block];
    }
  }
  fn.blocks = std::move(blocks);
}

}  // namespace dt::ir

// See analysis.h.
//
// The IR is in SSA form and its jumps go forward, so each of these is one pass: definitions in
// order, uses against the order, and dominators from each block's predecessors, which are all
// before it.
//
// A comparison whose only use is the branch behind it is fused with it: BPF has no instruction that
// puts the result of a comparison into a register, but one that jumps on it.

#include "bpf/select/analysis.h"

#include <algorithm>

#include "bpf/routine/unit.h"
#include "bpf/select/value.h"
#include "ir/evaluate.h"

namespace dt::bpf {

namespace {

constexpr std::size_t kManyBranches = 8;

}  // namespace

Analysis::Analysis(const Unit& unit, const ir::Function& fn) : unit_(unit), fn_(fn) {
  may_alias.assign(fn_.value_count, false);
  find_definitions();
  find_uses();
  fuse_comparisons();
  find_last_uses();
  find_dominators();
}

void Analysis::find_definitions() {
  types.resize(fn_.value_count);
  def.assign(fn_.value_count, nullptr);
  def_block.assign(fn_.value_count, 0);
  for (ir::BlockId b = 0; b < fn_.blocks.size(); ++b) {
    for (const ir::Param& param : fn_.blocks[b].params) {
      types[param.id] = param.type;
      def_block[param.id] = b;
    }
    for (const ir::Inst& inst : fn_.blocks[b].insts) {
      if (inst.result == ir::kNone) continue;
      types[inst.result] = inst.type;
      def[inst.result] = &inst;
      def_block[inst.result] = b;
    }
  }
}

// Counts uses, and finds the values that are only compared with zero, or made strings of.
void Analysis::find_uses() {
  uses_.assign(fn_.value_count, 0);
  equality_only.assign(fn_.value_count, true);
  text_only.assign(fn_.value_count, true);
  padding.assign(fn_.value_count, 0);
  for (const ir::Block& block : fn_.blocks) {
    for (const ir::Inst& inst : block.insts) {
      const bool against_zero =
          (inst.op == ir::Op::kEq || inst.op == ir::Op::kNe) && is_zero_constant(inst.args[1]);
      for (std::size_t i = 0; i < inst.args.size(); ++i) {
        uses_[inst.args[i]]++;
        if (!against_zero || i != 0) equality_only[inst.args[i]] = false;
        if (inst.op != ir::Op::kToString || inst.type.size <= kNameBytes) {
          text_only[inst.args[i]] = false;
        }
        padding[inst.args[i]] = std::max(padding[inst.args[i]], padding_of(inst, i));
      }
    }
    if (block.end.condition != ir::kNone) uses_[block.end.condition]++;
    for (const ir::Target* target : {&block.end.then, &block.end.otherwise}) {
      for (const ir::ValueId id : target->args) {
        ++uses_[id];
        equality_only[id] = false;
        text_only[id] = false;
        padding[id] = ir::kNone;
      }
    }
  }
}

// How far the operand is read, whatever its length: not at all for strlen(),
// which knows the length; as far as a short constant that it is compared with.
std::uint32_t Analysis::padding_of(const ir::Inst& inst, std::size_t operand) const {
  if (inst.op == ir::Op::kCall && !unit_.budget.store_values &&
      static_cast<ir::Subroutine>(inst.index) == ir::Subroutine::kStrlen) {
    return 0;
  }
  if (inst.op == ir::Op::kStrCmp) {
    const ir::Inst* const other = def[inst.args[1 - operand]];
    if (other != nullptr && other->op == ir::Op::kString) {
      const std::size_t bytes = unit_.program.strings[other->index].size() + 1;
      if (bytes <= kUnrolledWords * 8) return words_up(static_cast<std::uint32_t>(bytes));
    }
  }
  return ir::kNone;
}

// A comparison of which only the branch of its block asks is made there. And
// counts what becomes a branch.
void Analysis::fuse_comparisons() {
  fused_compare.assign(fn_.value_count, false);
  std::size_t branches = 0;
  for (const ir::Block& block : fn_.blocks) {
    branches += static_cast<std::size_t>(
        std::count_if(block.insts.begin(), block.insts.end(), [](const ir::Inst& inst) {
          return inst.op == ir::Op::kAggregate || inst.op == ir::Op::kAccumulate ||
                 inst.op == ir::Op::kStrCmp || ir::is_comparison(inst.op) ||
                 ir::is_division(inst.op);
        }));
    const ir::ValueId condition = block.end.condition;
    if (block.end.kind != ir::Terminator::Kind::kBranch || condition == ir::kNone) continue;
    for (const ir::Inst& inst : block.insts) {
      if (inst.result != condition) continue;
      fused_compare[condition] = uses_[condition] == 1 && ir::is_comparison(inst.op);
    }
  }
  is_branchy = branches > kManyBranches;
}

// Positions count instructions and terminators in order. A value that another
// may be an alias of is needed as long as that one.
void Analysis::find_last_uses() {
  last_use.assign(fn_.value_count, 0);
  std::uint32_t position = 0;
  for (const ir::Block& block : fn_.blocks) {
    position += static_cast<std::uint32_t>(block.insts.size()) + 1;
  }
  const auto use = [&](ir::ValueId id, std::uint32_t at) {
    last_use[id] = std::max(last_use[id], at);
  };
  for (std::size_t b = fn_.blocks.size(); b-- > 0;) {
    const ir::Block& block = fn_.blocks[b];
    --position;
    const std::uint32_t end = position;
    if (block.end.condition != ir::kNone) use(block.end.condition, end);
    for (const ir::Target* target : {&block.end.then, &block.end.otherwise}) {
      for (std::size_t i = 0; i < target->args.size(); ++i) {
        use(target->args[i], std::max(end, last_use[fn_.blocks[target->block].params[i].id]));
      }
    }
    std::uint32_t store = end;  // the next store below, of any variable
    std::uint32_t write = end;  // and the next that may be by a variable's address
    for (std::size_t i = block.insts.size(); i-- > 0;) {
      const ir::Inst& inst = block.insts[i];
      --position;
      if (inst.op == ir::Op::kLoad && inst.type.kind != ir::TypeKind::kInt) {
        const std::uint32_t change =
            inst.type.kind == ir::TypeKind::kBytes ? std::min(store, write) : store;
        may_alias[inst.result] = last_use[inst.result] <= change;
      }
      if (ir::writes_variable(inst.op)) store = position;
      if (ir::writes_memory(inst.op)) write = position;
      for (const ir::ValueId id : inst.args) {
        use(id, position);
        if (inst.op == ir::Op::kToString) use(id, last_use[inst.result]);
        // A comparison that is made by the branch reads its operands there.
        if (inst.result != ir::kNone && fused_compare[inst.result]) use(id, end);
      }
    }
  }
}

// Every jump goes forward, so one pass in block order is enough.
void Analysis::find_dominators() {
  idom_.assign(fn_.blocks.size(), ir::kNone);
  const auto meet = [&](ir::BlockId a, ir::BlockId b) {
    while (a != b) {
      if (a > b)
        a = idom_[a];
      else
        b = idom_[b];
    }
    return a;
  };
  const auto edge = [&](ir::BlockId from, ir::BlockId to) {
    idom_[to] = idom_[to] == ir::kNone ? from : meet(idom_[to], from);
  };
  idom_[0] = 0;
  for (ir::BlockId b = 0; b < fn_.blocks.size(); ++b) {
    const ir::Terminator& end = fn_.blocks[b].end;
    if (end.kind == ir::Terminator::Kind::kReturn) continue;
    edge(b, end.then.block);
    if (end.kind == ir::Terminator::Kind::kBranch) edge(b, end.otherwise.block);
  }
}

bool Analysis::dominates(ir::BlockId a, ir::BlockId b) const {
  while (b > a) b = idom_[b];
  return a == b;
}

bool Analysis::is_zero_constant(ir::ValueId id) const {
  const ir::Inst* inst = def[id];
  if (inst == nullptr) return false;
  if (inst->op == ir::Op::kConst) return inst->imm == 0;
  return inst->op == ir::Op::kString && unit_.program.strings[inst->index].empty();
}

}  // namespace dt::bpf

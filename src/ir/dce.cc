// Dead code: one pass from the last block to the first, since every use comes
// after its definition.

#include "ir/dominance.h"
#include "ir/evaluate.h"
#include "ir/passes.h"

namespace dt::ir {

std::vector<std::optional<std::int64_t>> constants(const Function& fn) {
  std::vector<std::optional<std::int64_t>> values(fn.value_count);
  for (const Block& block : fn.blocks) {
    for (const Inst& inst : block.insts) {
      if (inst.op == Op::kConst) values[inst.result] = inst.imm;
    }
  }
  return values;
}

bool may_fault(const Inst& inst, const std::vector<std::optional<std::int64_t>>& constants) {
  if (!is_division(inst.op)) return may_fault(inst);
  const auto& divisor = constants[inst.args[1]];
  return !divisor || *divisor == 0;
}

void dce(Function& fn) {
  const auto known = constants(fn);
  std::vector<bool> used(fn.value_count, false);
  // By block: which of its parameters are used. Known before its predecessors
  // are seen, which all come earlier.
  for (std::size_t b = fn.blocks.size(); b-- > 0;) {
    Block& block = fn.blocks[b];
    for_each_target(block.end, [&](Target& target) {
      const std::vector<Param>& params = fn.blocks[target.block].params;
      std::size_t kept = 0;
      for (std::size_t i = 0; i < params.size(); ++i) {
        if (!used[params[i].id]) continue;
        used[target.args[i]] = true;
        target.args[kept++] = target.args[i];
      }
      target.args.resize(kept);
    });
    if (block.end.kind == Terminator::Kind::kBranch && block.end.condition != kNone) {
      used[block.end.condition] = true;
    }
    std::vector<Inst> kept;
    kept.reserve(block.insts.size());
    for (std::size_t i = block.insts.size(); i-- > 0;) {
      Inst& inst = block.insts[i];
      const bool is_needed =
          has_effect(inst) || may_fault(inst, known) || (inst.result != kNone && used[inst.result]);
      if (!is_needed) continue;
      for (const ValueId arg : inst.args) used[arg] = true;
      kept.push_back(std::move(inst));
    }
    block.insts.assign(std::make_move_iterator(kept.rbegin()),
                       std::make_move_iterator(kept.rend()));
  }
  for (Block& block : fn.blocks) {
    std::erase_if(block.params, [&](const Param& param) { return !used[param.id]; });
  }
}

}  // namespace dt::ir

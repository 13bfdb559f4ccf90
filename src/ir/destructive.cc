// Looking for destructive actions.

#include "ir/destructive.h"

#include "ir/op_info.h"

namespace dt::ir {

std::optional<Span> find_destructive(const Program& program) {
  for (const EcbDesc& clause : program.clauses) {
    for (const Block& block : clause.body.blocks) {
      for (const Inst& inst : block.insts) {
        if (has_trait(inst.op, OpInfo::kDestructive)) return inst.span;
      }
    }
    for (const record::Layout& layout : clause.layouts) {
      for (const record::Action& action : layout.actions) {
        if (action.kind == record::ActionKind::kSystem) {
          return action.span;
        }
      }
    }
  }
  return std::nullopt;
}

}  // namespace dt::ir

// Looking for destructive actions.

#include "ir/destructive.h"

namespace dt::ir {

std::optional<Span> find_destructive(const Program& program) {
  for (const EcbDesc& clause : program.clauses) {
    for (const Block& block : clause.body.blocks) {
      for (const Inst& inst : block.insts) {
        if (inst.op == Op::kSignal || inst.op == Op::kChill || inst.op == Op::kCopyout ||
            inst.op == Op::kCopyoutString) {
          return inst.span;
        }
      }
    }
    for (const record::Action& action : clause.layout.actions) {
      if (action.kind == record::ActionKind::kSystem) {
        return action.span;
      }
    }
  }
  return std::nullopt;
}

}  // namespace dt::ir
